import{d as r}from"../shared/KRL5B3BF.js";import"../shared/EZM5RJC2.js";import"../shared/2JXMP2RW.js";import{e}from"../shared/GBHETARJ.js";import"../shared/LKZCVFRB.js";var t=(m,o)=>{let[p,i]=e(m,"keep lie");return r("duchi/1",o,p,i)};export{t as fromSpec};
//# sourceMappingURL=duchi.js.map
