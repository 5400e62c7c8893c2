import{c as r}from"../shared/7PDL2KQ2.js";import"../shared/EZM5RJC2.js";import"../shared/U2J62NLE.js";import{e}from"../shared/7LNDQQSP.js";import"../shared/7NOMCBGN.js";var p=(o,m)=>({...r("square-wave/1",m,e(o,"window keep lie")),rounding:"nearest"});export{p as fromSpec};
//# sourceMappingURL=square-wave.js.map
