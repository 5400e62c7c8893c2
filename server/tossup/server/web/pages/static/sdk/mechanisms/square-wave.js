import{c as r}from"../shared/ZHZWQ35L.js";import"../shared/EZM5RJC2.js";import"../shared/7DFYCHXG.js";import{e}from"../shared/EOEEZBKD.js";import"../shared/PXZP6B2L.js";var p=(o,m)=>({...r("square-wave/1",m,e(o,"window keep lie")),rounding:"nearest"});export{p as fromSpec};
//# sourceMappingURL=square-wave.js.map
