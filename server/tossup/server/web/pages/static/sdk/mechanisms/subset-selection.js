import{a}from"../shared/6CMYEFQ5.js";import"../shared/7JVNFQEH.js";import"../shared/VJWQUAJ3.js";import"../shared/S7EVXG67.js";export{a as fromSpec};
//# sourceMappingURL=subset-selection.js.map
