import{c as r}from"../shared/AUIML2BL.js";import"../shared/EZM5RJC2.js";import"../shared/XTB43UEP.js";import{e}from"../shared/BW377ODP.js";import"../shared/GAXZGMM5.js";var p=(o,m)=>({...r("square-wave/1",m,e(o,"window keep lie")),rounding:"nearest"});export{p as fromSpec};
//# sourceMappingURL=square-wave.js.map
