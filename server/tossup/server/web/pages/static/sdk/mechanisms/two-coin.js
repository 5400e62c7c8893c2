import{g as a}from"../shared/4NCQH34Z.js";export{a as fromSpec};
//# sourceMappingURL=two-coin.js.map
