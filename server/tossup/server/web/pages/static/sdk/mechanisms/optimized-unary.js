import{a}from"../shared/NVJK6UPC.js";import"../shared/KIPJGTT4.js";import"../shared/IOJFHO3Z.js";import"../shared/MYM4OEUR.js";import"../shared/UTQX7EJH.js";import"../shared/IYOLXWPY.js";export{a as fromSpec};
//# sourceMappingURL=optimized-unary.js.map
