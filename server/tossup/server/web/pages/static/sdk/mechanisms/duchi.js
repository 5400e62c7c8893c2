import{d as r}from"../shared/AUIML2BL.js";import"../shared/EZM5RJC2.js";import"../shared/XTB43UEP.js";import{e}from"../shared/BW377ODP.js";import"../shared/GAXZGMM5.js";var t=(m,o)=>{let[p,i]=e(m,"keep lie");return r("duchi/1",o,p,i)};export{t as fromSpec};
//# sourceMappingURL=duchi.js.map
