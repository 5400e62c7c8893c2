import{e as r}from"../shared/OO36WDOY.js";import"../shared/EZM5RJC2.js";import"../shared/2TK3FFPG.js";import{d as o}from"../shared/LYKLEBM5.js";import"../shared/HNURKHTX.js";var i=(e,m)=>(o(e,"tails"),r("discrete-laplace/1",m,e));export{i as fromSpec};
//# sourceMappingURL=discrete-laplace.js.map
