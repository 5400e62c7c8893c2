import{d as r}from"../shared/KQSXCZLN.js";import"../shared/EZM5RJC2.js";import"../shared/NOYYKBSY.js";import{e}from"../shared/DSRLWUYI.js";import"../shared/4NCQH34Z.js";var t=(m,o)=>{let[p,i]=e(m,"keep lie");return r("duchi/1",o,p,i)};export{t as fromSpec};
//# sourceMappingURL=duchi.js.map
