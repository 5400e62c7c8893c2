import{e as r}from"../shared/KQSXCZLN.js";import"../shared/EZM5RJC2.js";import"../shared/NOYYKBSY.js";import{d as o}from"../shared/DSRLWUYI.js";import"../shared/4NCQH34Z.js";var i=(e,m)=>(o(e,"tails"),r("discrete-laplace/1",m,e));export{i as fromSpec};
//# sourceMappingURL=discrete-laplace.js.map
