import{a}from"../shared/NDRWIZI2.js";import"../shared/KIPJGTT4.js";import"../shared/IOJFHO3Z.js";import"../shared/MYM4OEUR.js";import"../shared/UTQX7EJH.js";import"../shared/IYOLXWPY.js";export{a as fromSpec};
//# sourceMappingURL=k-ary-randomized-response.js.map
