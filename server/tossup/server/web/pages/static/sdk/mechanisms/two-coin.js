import{g as a}from"../shared/HNURKHTX.js";export{a as fromSpec};
//# sourceMappingURL=two-coin.js.map
