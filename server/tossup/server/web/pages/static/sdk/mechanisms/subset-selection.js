import{a}from"../shared/AYQL6CRV.js";import"../shared/V4WBSL4B.js";import"../shared/W3RWFEL4.js";import"../shared/2DEBMJG4.js";export{a as fromSpec};
//# sourceMappingURL=subset-selection.js.map
