import{a}from"../shared/GDF3QQWM.js";import"../shared/GKCL5JMA.js";import"../shared/EOEEZBKD.js";import"../shared/PXZP6B2L.js";export{a as fromSpec};
//# sourceMappingURL=k-ary-randomized-response.js.map
