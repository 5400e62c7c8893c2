import{a}from"../shared/EYTE4GFG.js";import"../shared/VOYDUXYY.js";import"../shared/IOJFHO3Z.js";import"../shared/MYM4OEUR.js";import"../shared/V74T7KSB.js";import"../shared/UQQUMMZV.js";export{a as fromSpec};
//# sourceMappingURL=local-hashing.js.map
