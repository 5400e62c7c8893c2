import{a}from"../shared/FTGLI5OU.js";import"../shared/NPMDNTZF.js";import"../shared/IOJFHO3Z.js";import"../shared/MYM4OEUR.js";import"../shared/GBHETARJ.js";import"../shared/LKZCVFRB.js";export{a as fromSpec};
//# sourceMappingURL=symmetric-unary.js.map
