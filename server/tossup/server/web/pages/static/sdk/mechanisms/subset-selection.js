import{a}from"../shared/R7LA5AUD.js";import"../shared/Y6L2TPQ2.js";import"../shared/IOJFHO3Z.js";import"../shared/MYM4OEUR.js";import"../shared/7BOPMWQM.js";import"../shared/LLVC3P57.js";export{a as fromSpec};
//# sourceMappingURL=subset-selection.js.map
