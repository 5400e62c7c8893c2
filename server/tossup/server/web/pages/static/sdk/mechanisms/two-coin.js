import{g as a}from"../shared/LKZCVFRB.js";export{a as fromSpec};
//# sourceMappingURL=two-coin.js.map
