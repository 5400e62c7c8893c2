import{d as r}from"../shared/7WADIQ4A.js";import"../shared/EZM5RJC2.js";import"../shared/NMXLQG7P.js";import{e}from"../shared/W3RWFEL4.js";import"../shared/2DEBMJG4.js";var t=(m,o)=>{let[p,i]=e(m,"keep lie");return r("duchi/1",o,p,i)};export{t as fromSpec};
//# sourceMappingURL=duchi.js.map
