import{e as r}from"../shared/N4MUSWPN.js";import"../shared/BSMWBRRJ.js";import"../shared/J6XWKTGK.js";import{d as o}from"../shared/FJJ4KGM3.js";import"../shared/GI3Y36QC.js";var i=(e,m)=>(o(e,"tails"),r("discrete-laplace/1",m,e));export{i as fromSpec};
//# sourceMappingURL=discrete-laplace.js.map
