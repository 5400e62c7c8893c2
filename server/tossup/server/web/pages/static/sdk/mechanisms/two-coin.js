import{g as a}from"../shared/GAXZGMM5.js";export{a as fromSpec};
//# sourceMappingURL=two-coin.js.map
