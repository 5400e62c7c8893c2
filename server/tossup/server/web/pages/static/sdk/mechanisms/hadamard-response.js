import{a}from"../shared/4Z54VPIO.js";import"../shared/V4WBSL4B.js";import"../shared/W3RWFEL4.js";import"../shared/2DEBMJG4.js";export{a as fromSpec};
//# sourceMappingURL=hadamard-response.js.map
