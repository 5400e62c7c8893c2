import{a}from"../shared/MM7BMWXN.js";import"../shared/6BGBVZS7.js";import"../shared/IOJFHO3Z.js";import"../shared/MYM4OEUR.js";import"../shared/VVNRXFOM.js";import"../shared/3DIXK3NW.js";export{a as fromSpec};
//# sourceMappingURL=optimized-unary.js.map
