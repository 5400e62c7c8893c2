import{e as r}from"../shared/KRL5B3BF.js";import"../shared/EZM5RJC2.js";import"../shared/2JXMP2RW.js";import{d as o}from"../shared/GBHETARJ.js";import"../shared/LKZCVFRB.js";var i=(e,m)=>(o(e,"tails"),r("discrete-laplace/1",m,e));export{i as fromSpec};
//# sourceMappingURL=discrete-laplace.js.map
