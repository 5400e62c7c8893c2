import{d as r}from"../shared/N6BGKYZQ.js";import"../shared/EZM5RJC2.js";import"../shared/3DYJTMR2.js";import{e}from"../shared/4HUSLZU6.js";import"../shared/HHCCAAOS.js";var t=(m,o)=>{let[p,i]=e(m,"keep lie");return r("duchi/1",o,p,i)};export{t as fromSpec};
//# sourceMappingURL=duchi.js.map
