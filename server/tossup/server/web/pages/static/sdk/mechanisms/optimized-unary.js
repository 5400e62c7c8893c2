import{a}from"../shared/56VOMYK4.js";import"../shared/VOYDUXYY.js";import"../shared/IOJFHO3Z.js";import"../shared/MYM4OEUR.js";import"../shared/V74T7KSB.js";import"../shared/UQQUMMZV.js";export{a as fromSpec};
//# sourceMappingURL=optimized-unary.js.map
