import{a}from"../shared/CO3AJRKB.js";import"../shared/3RHZ74QF.js";import"../shared/IOJFHO3Z.js";import"../shared/MYM4OEUR.js";import"../shared/QTJGXNYF.js";import"../shared/AF34NPWQ.js";export{a as fromSpec};
//# sourceMappingURL=projective-geometry-response.js.map
