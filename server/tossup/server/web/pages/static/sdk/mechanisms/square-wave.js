import{c as r}from"../shared/5XILFLGV.js";import"../shared/EZM5RJC2.js";import"../shared/A3CBFUXG.js";import{e}from"../shared/QTJGXNYF.js";import"../shared/AF34NPWQ.js";var p=(o,m)=>({...r("square-wave/1",m,e(o,"window keep lie")),rounding:"nearest"});export{p as fromSpec};
//# sourceMappingURL=square-wave.js.map
