import{g as a}from"../shared/IYOLXWPY.js";export{a as fromSpec};
//# sourceMappingURL=two-coin.js.map
