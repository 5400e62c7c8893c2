import{a}from"../shared/YVTJQBW3.js";import"../shared/GTG3YTAZ.js";import"../shared/7LNDQQSP.js";import"../shared/7NOMCBGN.js";export{a as fromSpec};
//# sourceMappingURL=local-hashing.js.map
