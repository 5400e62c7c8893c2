import{d as r}from"../shared/5OMKP2SX.js";import"../shared/EZM5RJC2.js";import"../shared/GVT343UY.js";import{e}from"../shared/V74T7KSB.js";import"../shared/UQQUMMZV.js";var t=(m,o)=>{let[p,i]=e(m,"keep lie");return r("duchi/1",o,p,i)};export{t as fromSpec};
//# sourceMappingURL=duchi.js.map
