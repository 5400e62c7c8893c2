import{g as a}from"../shared/AF34NPWQ.js";export{a as fromSpec};
//# sourceMappingURL=two-coin.js.map
