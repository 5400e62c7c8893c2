import{c as r}from"../shared/KQSXCZLN.js";import"../shared/EZM5RJC2.js";import"../shared/NOYYKBSY.js";import{e}from"../shared/DSRLWUYI.js";import"../shared/4NCQH34Z.js";var p=(o,m)=>({...r("square-wave/1",m,e(o,"window keep lie")),rounding:"nearest"});export{p as fromSpec};
//# sourceMappingURL=square-wave.js.map
