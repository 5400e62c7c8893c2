import{e as r}from"../shared/VGN3CZHO.js";import"../shared/EZM5RJC2.js";import"../shared/64ZARKXL.js";import{d as o}from"../shared/7BOPMWQM.js";import"../shared/LLVC3P57.js";var i=(e,m)=>(o(e,"tails"),r("discrete-laplace/1",m,e));export{i as fromSpec};
//# sourceMappingURL=discrete-laplace.js.map
