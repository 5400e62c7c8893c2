import{a}from"../shared/N3ECS7MZ.js";import"../shared/NPMDNTZF.js";import"../shared/IOJFHO3Z.js";import"../shared/MYM4OEUR.js";import"../shared/GBHETARJ.js";import"../shared/LKZCVFRB.js";export{a as fromSpec};
//# sourceMappingURL=optimized-unary.js.map
