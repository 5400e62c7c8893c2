import{c as r}from"../shared/5OMKP2SX.js";import"../shared/EZM5RJC2.js";import"../shared/GVT343UY.js";import{e}from"../shared/V74T7KSB.js";import"../shared/UQQUMMZV.js";var p=(o,m)=>({...r("square-wave/1",m,e(o,"window keep lie")),rounding:"nearest"});export{p as fromSpec};
//# sourceMappingURL=square-wave.js.map
