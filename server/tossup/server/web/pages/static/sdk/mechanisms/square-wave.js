import{c as r}from"../shared/KRL5B3BF.js";import"../shared/EZM5RJC2.js";import"../shared/2JXMP2RW.js";import{e}from"../shared/GBHETARJ.js";import"../shared/LKZCVFRB.js";var p=(o,m)=>({...r("square-wave/1",m,e(o,"window keep lie")),rounding:"nearest"});export{p as fromSpec};
//# sourceMappingURL=square-wave.js.map
