import{a}from"../shared/KHQD4BLG.js";import"../shared/GKCL5JMA.js";import"../shared/EOEEZBKD.js";import"../shared/PXZP6B2L.js";export{a as fromSpec};
//# sourceMappingURL=symmetric-unary.js.map
