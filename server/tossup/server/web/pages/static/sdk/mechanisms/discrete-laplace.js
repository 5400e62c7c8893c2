import{e as r}from"../shared/7WADIQ4A.js";import"../shared/EZM5RJC2.js";import"../shared/NMXLQG7P.js";import{d as o}from"../shared/W3RWFEL4.js";import"../shared/2DEBMJG4.js";var i=(e,m)=>(o(e,"tails"),r("discrete-laplace/1",m,e));export{i as fromSpec};
//# sourceMappingURL=discrete-laplace.js.map
