import{c as r}from"../shared/3I4XSQG3.js";import"../shared/EZM5RJC2.js";import"../shared/XOZM7QNF.js";import{e}from"../shared/VVNRXFOM.js";import"../shared/3DIXK3NW.js";var p=(o,m)=>({...r("square-wave/1",m,e(o,"window keep lie")),rounding:"nearest"});export{p as fromSpec};
//# sourceMappingURL=square-wave.js.map
