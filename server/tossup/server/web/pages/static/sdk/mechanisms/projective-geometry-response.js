import{a}from"../shared/QPHCP6LR.js";import"../shared/WQLYVJK6.js";import"../shared/IOJFHO3Z.js";import"../shared/MYM4OEUR.js";import"../shared/4HUSLZU6.js";import"../shared/HHCCAAOS.js";export{a as fromSpec};
//# sourceMappingURL=projective-geometry-response.js.map
