import{g as r}from"./V4WBSL4B.js";import{e}from"./W3RWFEL4.js";var s=(m,o)=>{let[p,t]=e(m,"keep lie");return r(o,p,t)};export{s as a};
//# sourceMappingURL=ZHAU7Y3Z.js.map
