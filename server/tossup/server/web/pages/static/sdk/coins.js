import{a,b,c}from"./shared/MYM4OEUR.js";import"./shared/GI3Y36QC.js";export{c as Coins,a as bitsFor,b as bytesFor};
//# sourceMappingURL=coins.js.map
