import{e as r}from"../shared/3I4XSQG3.js";import"../shared/EZM5RJC2.js";import"../shared/XOZM7QNF.js";import{d as o}from"../shared/VVNRXFOM.js";import"../shared/3DIXK3NW.js";var i=(e,m)=>(o(e,"tails"),r("discrete-laplace/1",m,e));export{i as fromSpec};
//# sourceMappingURL=discrete-laplace.js.map
