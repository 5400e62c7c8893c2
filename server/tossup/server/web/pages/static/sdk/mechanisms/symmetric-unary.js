import{a}from"../shared/IU5EZW47.js";import"../shared/WQLYVJK6.js";import"../shared/IOJFHO3Z.js";import"../shared/MYM4OEUR.js";import"../shared/4HUSLZU6.js";import"../shared/HHCCAAOS.js";export{a as fromSpec};
//# sourceMappingURL=symmetric-unary.js.map
