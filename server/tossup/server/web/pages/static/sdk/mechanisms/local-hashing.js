import{a}from"../shared/5F6KIQNB.js";import"../shared/GKCL5JMA.js";import"../shared/EOEEZBKD.js";import"../shared/PXZP6B2L.js";export{a as fromSpec};
//# sourceMappingURL=local-hashing.js.map
