import{e as r}from"../shared/UMGL7VWG.js";import"../shared/BSMWBRRJ.js";import"../shared/BJ2CA6WB.js";import{d as o}from"../shared/EEZGQUCI.js";import"../shared/3BJ2DEKB.js";var i=(e,m)=>(o(e,"tails"),r("discrete-laplace/1",m,e));export{i as fromSpec};
//# sourceMappingURL=discrete-laplace.js.map
