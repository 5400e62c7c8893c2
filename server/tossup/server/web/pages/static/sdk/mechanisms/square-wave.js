import{c as r}from"../shared/OO36WDOY.js";import"../shared/EZM5RJC2.js";import"../shared/2TK3FFPG.js";import{e}from"../shared/LYKLEBM5.js";import"../shared/HNURKHTX.js";var p=(o,m)=>({...r("square-wave/1",m,e(o,"window keep lie")),rounding:"nearest"});export{p as fromSpec};
//# sourceMappingURL=square-wave.js.map
