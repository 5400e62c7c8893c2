import{d as r}from"../shared/UMGL7VWG.js";import"../shared/BSMWBRRJ.js";import"../shared/BJ2CA6WB.js";import{e}from"../shared/EEZGQUCI.js";import"../shared/3BJ2DEKB.js";var t=(m,o)=>{let[p,i]=e(m,"keep lie");return r("duchi/1",o,p,i)};export{t as fromSpec};
//# sourceMappingURL=duchi.js.map
