import{a}from"../shared/CGZ4KPSN.js";import"../shared/6BGBVZS7.js";import"../shared/IOJFHO3Z.js";import"../shared/MYM4OEUR.js";import"../shared/VVNRXFOM.js";import"../shared/3DIXK3NW.js";export{a as fromSpec};
//# sourceMappingURL=projective-geometry-response.js.map
