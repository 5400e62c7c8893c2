import{a,b,c}from"./shared/MYM4OEUR.js";import"./shared/LLVC3P57.js";export{c as Coins,a as bitsFor,b as bytesFor};
//# sourceMappingURL=coins.js.map
