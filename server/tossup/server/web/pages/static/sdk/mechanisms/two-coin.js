import{g as a}from"../shared/HHCCAAOS.js";export{a as fromSpec};
//# sourceMappingURL=two-coin.js.map
