import{a}from"../shared/H2VDNP3L.js";import"../shared/VOYDUXYY.js";import"../shared/IOJFHO3Z.js";import"../shared/MYM4OEUR.js";import"../shared/V74T7KSB.js";import"../shared/UQQUMMZV.js";export{a as fromSpec};
//# sourceMappingURL=subset-selection.js.map
