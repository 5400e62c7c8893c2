import{a}from"../shared/GBEECRBS.js";import"../shared/7JVNFQEH.js";import"../shared/VJWQUAJ3.js";import"../shared/S7EVXG67.js";export{a as fromSpec};
//# sourceMappingURL=k-ary-randomized-response.js.map
