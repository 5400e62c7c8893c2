import{c as r}from"../shared/VGN3CZHO.js";import"../shared/EZM5RJC2.js";import"../shared/64ZARKXL.js";import{e}from"../shared/7BOPMWQM.js";import"../shared/LLVC3P57.js";var p=(o,m)=>({...r("square-wave/1",m,e(o,"window keep lie")),rounding:"nearest"});export{p as fromSpec};
//# sourceMappingURL=square-wave.js.map
