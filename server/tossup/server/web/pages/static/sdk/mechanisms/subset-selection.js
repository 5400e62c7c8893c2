import{a}from"../shared/NBYOUW3N.js";import"../shared/GTG3YTAZ.js";import"../shared/7LNDQQSP.js";import"../shared/7NOMCBGN.js";export{a as fromSpec};
//# sourceMappingURL=subset-selection.js.map
