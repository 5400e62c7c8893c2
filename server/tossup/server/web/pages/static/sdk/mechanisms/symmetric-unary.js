import{a}from"../shared/XFR2BWPF.js";import"../shared/3RHZ74QF.js";import"../shared/IOJFHO3Z.js";import"../shared/MYM4OEUR.js";import"../shared/QTJGXNYF.js";import"../shared/AF34NPWQ.js";export{a as fromSpec};
//# sourceMappingURL=symmetric-unary.js.map
