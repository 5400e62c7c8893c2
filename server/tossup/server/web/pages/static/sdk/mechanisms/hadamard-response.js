import{a}from"../shared/MHH5TCIV.js";import"../shared/MHYPX7MD.js";import"../shared/IOJFHO3Z.js";import"../shared/MYM4OEUR.js";import"../shared/DSRLWUYI.js";import"../shared/4NCQH34Z.js";export{a as fromSpec};
//# sourceMappingURL=hadamard-response.js.map
