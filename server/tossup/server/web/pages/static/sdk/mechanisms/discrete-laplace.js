import{e as r}from"../shared/7PDL2KQ2.js";import"../shared/EZM5RJC2.js";import"../shared/U2J62NLE.js";import{d as o}from"../shared/7LNDQQSP.js";import"../shared/7NOMCBGN.js";var i=(e,m)=>(o(e,"tails"),r("discrete-laplace/1",m,e));export{i as fromSpec};
//# sourceMappingURL=discrete-laplace.js.map
