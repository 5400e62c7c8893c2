import{a}from"../shared/6LYPPUC4.js";import"../shared/GTG3YTAZ.js";import"../shared/7LNDQQSP.js";import"../shared/7NOMCBGN.js";export{a as fromSpec};
//# sourceMappingURL=optimized-unary.js.map
