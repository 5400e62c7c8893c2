import{a}from"../shared/ETPTL366.js";import"../shared/NPMDNTZF.js";import"../shared/IOJFHO3Z.js";import"../shared/MYM4OEUR.js";import"../shared/GBHETARJ.js";import"../shared/LKZCVFRB.js";export{a as fromSpec};
//# sourceMappingURL=subset-selection.js.map
