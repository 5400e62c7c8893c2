import{e as r}from"../shared/FPGUQQMO.js";import"../shared/EZM5RJC2.js";import"../shared/D62M5KCU.js";import{d as o}from"../shared/VJWQUAJ3.js";import"../shared/S7EVXG67.js";var i=(e,m)=>(o(e,"tails"),r("discrete-laplace/1",m,e));export{i as fromSpec};
//# sourceMappingURL=discrete-laplace.js.map
