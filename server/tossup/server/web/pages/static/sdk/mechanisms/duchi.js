import{d as r}from"../shared/7PDL2KQ2.js";import"../shared/EZM5RJC2.js";import"../shared/U2J62NLE.js";import{e}from"../shared/7LNDQQSP.js";import"../shared/7NOMCBGN.js";var t=(m,o)=>{let[p,i]=e(m,"keep lie");return r("duchi/1",o,p,i)};export{t as fromSpec};
//# sourceMappingURL=duchi.js.map
