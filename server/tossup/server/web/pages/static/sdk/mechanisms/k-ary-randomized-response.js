import{a}from"../shared/2B7K4N6X.js";import"../shared/O6LJBGHU.js";import"../shared/IOJFHO3Z.js";import"../shared/MYM4OEUR.js";import"../shared/LYKLEBM5.js";import"../shared/HNURKHTX.js";export{a as fromSpec};
//# sourceMappingURL=k-ary-randomized-response.js.map
