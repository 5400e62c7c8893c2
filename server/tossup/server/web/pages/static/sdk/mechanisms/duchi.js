import{d as r}from"../shared/3I4XSQG3.js";import"../shared/EZM5RJC2.js";import"../shared/XOZM7QNF.js";import{e}from"../shared/VVNRXFOM.js";import"../shared/3DIXK3NW.js";var t=(m,o)=>{let[p,i]=e(m,"keep lie");return r("duchi/1",o,p,i)};export{t as fromSpec};
//# sourceMappingURL=duchi.js.map
