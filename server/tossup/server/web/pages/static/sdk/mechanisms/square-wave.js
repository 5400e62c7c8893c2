import{c as r}from"../shared/UMGL7VWG.js";import"../shared/BSMWBRRJ.js";import"../shared/BJ2CA6WB.js";import{e}from"../shared/EEZGQUCI.js";import"../shared/3BJ2DEKB.js";var p=(o,m)=>({...r("square-wave/1",m,e(o,"window keep lie")),rounding:"nearest"});export{p as fromSpec};
//# sourceMappingURL=square-wave.js.map
