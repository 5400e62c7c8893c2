import{g as a}from"../shared/LLVC3P57.js";export{a as fromSpec};
//# sourceMappingURL=two-coin.js.map
