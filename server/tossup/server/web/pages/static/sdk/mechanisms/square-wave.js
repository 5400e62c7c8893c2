import{c as r}from"../shared/N4MUSWPN.js";import"../shared/BSMWBRRJ.js";import"../shared/J6XWKTGK.js";import{e}from"../shared/FJJ4KGM3.js";import"../shared/GI3Y36QC.js";var p=(o,m)=>({...r("square-wave/1",m,e(o,"window keep lie")),rounding:"nearest"});export{p as fromSpec};
//# sourceMappingURL=square-wave.js.map
