import{a,b,c}from"./shared/MYM4OEUR.js";import"./shared/3BJ2DEKB.js";export{c as Coins,a as bitsFor,b as bytesFor};
//# sourceMappingURL=coins.js.map
