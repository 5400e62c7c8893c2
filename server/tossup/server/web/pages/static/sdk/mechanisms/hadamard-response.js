import{a}from"../shared/FGFZVCRU.js";import"../shared/TXHYIL3L.js";import"../shared/IOJFHO3Z.js";import"../shared/MYM4OEUR.js";import"../shared/FJJ4KGM3.js";import"../shared/GI3Y36QC.js";export{a as fromSpec};
//# sourceMappingURL=hadamard-response.js.map
