import{d as r}from"../shared/FPGUQQMO.js";import"../shared/EZM5RJC2.js";import"../shared/D62M5KCU.js";import{e}from"../shared/VJWQUAJ3.js";import"../shared/S7EVXG67.js";var t=(m,o)=>{let[p,i]=e(m,"keep lie");return r("duchi/1",o,p,i)};export{t as fromSpec};
//# sourceMappingURL=duchi.js.map
