import{a}from"../shared/B6XLD6LP.js";import"../shared/GKCL5JMA.js";import"../shared/EOEEZBKD.js";import"../shared/PXZP6B2L.js";export{a as fromSpec};
//# sourceMappingURL=projective-geometry-response.js.map
