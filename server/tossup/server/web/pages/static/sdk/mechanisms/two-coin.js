import{g as a}from"../shared/GI3Y36QC.js";export{a as fromSpec};
//# sourceMappingURL=two-coin.js.map
