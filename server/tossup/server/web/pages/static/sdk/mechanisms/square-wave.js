import{c as r}from"../shared/N6BGKYZQ.js";import"../shared/EZM5RJC2.js";import"../shared/3DYJTMR2.js";import{e}from"../shared/4HUSLZU6.js";import"../shared/HHCCAAOS.js";var p=(o,m)=>({...r("square-wave/1",m,e(o,"window keep lie")),rounding:"nearest"});export{p as fromSpec};
//# sourceMappingURL=square-wave.js.map
