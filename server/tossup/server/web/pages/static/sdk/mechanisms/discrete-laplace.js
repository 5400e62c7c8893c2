import{e as r}from"../shared/ZHZWQ35L.js";import"../shared/EZM5RJC2.js";import"../shared/7DFYCHXG.js";import{d as o}from"../shared/EOEEZBKD.js";import"../shared/PXZP6B2L.js";var i=(e,m)=>(o(e,"tails"),r("discrete-laplace/1",m,e));export{i as fromSpec};
//# sourceMappingURL=discrete-laplace.js.map
