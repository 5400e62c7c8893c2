import{c as r}from"../shared/FPGUQQMO.js";import"../shared/EZM5RJC2.js";import"../shared/D62M5KCU.js";import{e}from"../shared/VJWQUAJ3.js";import"../shared/S7EVXG67.js";var p=(o,m)=>({...r("square-wave/1",m,e(o,"window keep lie")),rounding:"nearest"});export{p as fromSpec};
//# sourceMappingURL=square-wave.js.map
