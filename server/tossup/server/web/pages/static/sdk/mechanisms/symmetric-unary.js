import{a}from"../shared/Q46XCNE5.js";import"../shared/Y6L2TPQ2.js";import"../shared/IOJFHO3Z.js";import"../shared/MYM4OEUR.js";import"../shared/7BOPMWQM.js";import"../shared/LLVC3P57.js";export{a as fromSpec};
//# sourceMappingURL=symmetric-unary.js.map
