import{a}from"../shared/DOHAKDDR.js";import"../shared/3RHZ74QF.js";import"../shared/IOJFHO3Z.js";import"../shared/MYM4OEUR.js";import"../shared/QTJGXNYF.js";import"../shared/AF34NPWQ.js";export{a as fromSpec};
//# sourceMappingURL=subset-selection.js.map
