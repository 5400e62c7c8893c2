import{d as r}from"../shared/VGN3CZHO.js";import"../shared/EZM5RJC2.js";import"../shared/64ZARKXL.js";import{e}from"../shared/7BOPMWQM.js";import"../shared/LLVC3P57.js";var t=(m,o)=>{let[p,i]=e(m,"keep lie");return r("duchi/1",o,p,i)};export{t as fromSpec};
//# sourceMappingURL=duchi.js.map
