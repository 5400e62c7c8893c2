import{a}from"../shared/FPOQWGJK.js";import"../shared/GTG3YTAZ.js";import"../shared/7LNDQQSP.js";import"../shared/7NOMCBGN.js";export{a as fromSpec};
//# sourceMappingURL=hadamard-response.js.map
