import{g as a}from"../shared/3DIXK3NW.js";export{a as fromSpec};
//# sourceMappingURL=two-coin.js.map
