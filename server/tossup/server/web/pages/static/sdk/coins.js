import{a,b,c}from"./shared/MYM4OEUR.js";import"./shared/3DIXK3NW.js";export{c as Coins,a as bitsFor,b as bytesFor};
//# sourceMappingURL=coins.js.map
