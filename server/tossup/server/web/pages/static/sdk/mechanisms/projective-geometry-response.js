import{a}from"../shared/SI3S4TTL.js";import"../shared/MHYPX7MD.js";import"../shared/IOJFHO3Z.js";import"../shared/MYM4OEUR.js";import"../shared/DSRLWUYI.js";import"../shared/4NCQH34Z.js";export{a as fromSpec};
//# sourceMappingURL=projective-geometry-response.js.map
