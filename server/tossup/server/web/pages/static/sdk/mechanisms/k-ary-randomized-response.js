import{a}from"../shared/P7ATGD3J.js";import"../shared/GTG3YTAZ.js";import"../shared/7LNDQQSP.js";import"../shared/7NOMCBGN.js";export{a as fromSpec};
//# sourceMappingURL=k-ary-randomized-response.js.map
