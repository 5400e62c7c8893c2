import{g as a}from"../shared/3BJ2DEKB.js";export{a as fromSpec};
//# sourceMappingURL=two-coin.js.map
