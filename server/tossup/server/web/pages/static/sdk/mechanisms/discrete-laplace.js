import{e as r}from"../shared/5XILFLGV.js";import"../shared/EZM5RJC2.js";import"../shared/A3CBFUXG.js";import{d as o}from"../shared/QTJGXNYF.js";import"../shared/AF34NPWQ.js";var i=(e,m)=>(o(e,"tails"),r("discrete-laplace/1",m,e));export{i as fromSpec};
//# sourceMappingURL=discrete-laplace.js.map
