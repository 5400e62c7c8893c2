import{d as r}from"../shared/2RMCEYEB.js";import"../shared/EZM5RJC2.js";import"../shared/OBJKFKRC.js";import{e}from"../shared/UTQX7EJH.js";import"../shared/IYOLXWPY.js";var t=(m,o)=>{let[p,i]=e(m,"keep lie");return r("duchi/1",o,p,i)};export{t as fromSpec};
//# sourceMappingURL=duchi.js.map
