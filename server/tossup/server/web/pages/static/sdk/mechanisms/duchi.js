import{d as r}from"../shared/5XILFLGV.js";import"../shared/EZM5RJC2.js";import"../shared/A3CBFUXG.js";import{e}from"../shared/QTJGXNYF.js";import"../shared/AF34NPWQ.js";var t=(m,o)=>{let[p,i]=e(m,"keep lie");return r("duchi/1",o,p,i)};export{t as fromSpec};
//# sourceMappingURL=duchi.js.map
