import{d as r}from"../shared/N4MUSWPN.js";import"../shared/BSMWBRRJ.js";import"../shared/J6XWKTGK.js";import{e}from"../shared/FJJ4KGM3.js";import"../shared/GI3Y36QC.js";var t=(m,o)=>{let[p,i]=e(m,"keep lie");return r("duchi/1",o,p,i)};export{t as fromSpec};
//# sourceMappingURL=duchi.js.map
