import{g as a}from"../shared/UQQUMMZV.js";export{a as fromSpec};
//# sourceMappingURL=two-coin.js.map
