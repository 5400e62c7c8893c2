import{a}from"../shared/2AYVU4SH.js";import"../shared/7JVNFQEH.js";import"../shared/VJWQUAJ3.js";import"../shared/S7EVXG67.js";export{a as fromSpec};
//# sourceMappingURL=local-hashing.js.map
