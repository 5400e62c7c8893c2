import{e as r}from"../shared/N6BGKYZQ.js";import"../shared/EZM5RJC2.js";import"../shared/3DYJTMR2.js";import{d as o}from"../shared/4HUSLZU6.js";import"../shared/HHCCAAOS.js";var i=(e,m)=>(o(e,"tails"),r("discrete-laplace/1",m,e));export{i as fromSpec};
//# sourceMappingURL=discrete-laplace.js.map
