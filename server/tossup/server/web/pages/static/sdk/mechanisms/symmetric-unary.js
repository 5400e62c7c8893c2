import{a}from"../shared/7MZXSBMN.js";import"../shared/V4WBSL4B.js";import"../shared/W3RWFEL4.js";import"../shared/2DEBMJG4.js";export{a as fromSpec};
//# sourceMappingURL=symmetric-unary.js.map
