import{d as r}from"../shared/ZHZWQ35L.js";import"../shared/EZM5RJC2.js";import"../shared/7DFYCHXG.js";import{e}from"../shared/EOEEZBKD.js";import"../shared/PXZP6B2L.js";var t=(m,o)=>{let[p,i]=e(m,"keep lie");return r("duchi/1",o,p,i)};export{t as fromSpec};
//# sourceMappingURL=duchi.js.map
