import{a}from"../shared/MEIM3QZJ.js";import"../shared/NZIPKBP6.js";import"../shared/IOJFHO3Z.js";import"../shared/MYM4OEUR.js";import"../shared/EEZGQUCI.js";import"../shared/3BJ2DEKB.js";export{a as fromSpec};
//# sourceMappingURL=hadamard-response.js.map
