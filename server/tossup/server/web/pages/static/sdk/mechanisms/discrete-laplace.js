import{e as r}from"../shared/2RMCEYEB.js";import"../shared/EZM5RJC2.js";import"../shared/OBJKFKRC.js";import{d as o}from"../shared/UTQX7EJH.js";import"../shared/IYOLXWPY.js";var i=(e,m)=>(o(e,"tails"),r("discrete-laplace/1",m,e));export{i as fromSpec};
//# sourceMappingURL=discrete-laplace.js.map
