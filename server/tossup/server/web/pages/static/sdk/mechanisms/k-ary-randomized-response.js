import{a}from"../shared/ZHAU7Y3Z.js";import"../shared/V4WBSL4B.js";import"../shared/W3RWFEL4.js";import"../shared/2DEBMJG4.js";export{a as fromSpec};
//# sourceMappingURL=k-ary-randomized-response.js.map
