import{a}from"../shared/MEN3EWUA.js";import"../shared/GKCL5JMA.js";import"../shared/EOEEZBKD.js";import"../shared/PXZP6B2L.js";export{a as fromSpec};
//# sourceMappingURL=subset-selection.js.map
