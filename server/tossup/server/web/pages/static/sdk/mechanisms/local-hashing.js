import{a}from"../shared/S3YIXO3I.js";import"../shared/3RHZ74QF.js";import"../shared/IOJFHO3Z.js";import"../shared/MYM4OEUR.js";import"../shared/QTJGXNYF.js";import"../shared/AF34NPWQ.js";export{a as fromSpec};
//# sourceMappingURL=local-hashing.js.map
