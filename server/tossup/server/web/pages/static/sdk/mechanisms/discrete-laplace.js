import{e as r}from"../shared/AUIML2BL.js";import"../shared/EZM5RJC2.js";import"../shared/XTB43UEP.js";import{d as o}from"../shared/BW377ODP.js";import"../shared/GAXZGMM5.js";var i=(e,m)=>(o(e,"tails"),r("discrete-laplace/1",m,e));export{i as fromSpec};
//# sourceMappingURL=discrete-laplace.js.map
