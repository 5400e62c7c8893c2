import{e as r}from"../shared/5OMKP2SX.js";import"../shared/EZM5RJC2.js";import"../shared/GVT343UY.js";import{d as o}from"../shared/V74T7KSB.js";import"../shared/UQQUMMZV.js";var i=(e,m)=>(o(e,"tails"),r("discrete-laplace/1",m,e));export{i as fromSpec};
//# sourceMappingURL=discrete-laplace.js.map
