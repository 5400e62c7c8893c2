import{d as r}from"../shared/OO36WDOY.js";import"../shared/EZM5RJC2.js";import"../shared/2TK3FFPG.js";import{e}from"../shared/LYKLEBM5.js";import"../shared/HNURKHTX.js";var t=(m,o)=>{let[p,i]=e(m,"keep lie");return r("duchi/1",o,p,i)};export{t as fromSpec};
//# sourceMappingURL=duchi.js.map
