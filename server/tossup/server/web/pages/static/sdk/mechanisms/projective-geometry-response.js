import{a}from"../shared/BAL5AHKP.js";import"../shared/V4WBSL4B.js";import"../shared/W3RWFEL4.js";import"../shared/2DEBMJG4.js";export{a as fromSpec};
//# sourceMappingURL=projective-geometry-response.js.map
