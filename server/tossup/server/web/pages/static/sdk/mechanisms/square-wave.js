import{c as r}from"../shared/2RMCEYEB.js";import"../shared/EZM5RJC2.js";import"../shared/OBJKFKRC.js";import{e}from"../shared/UTQX7EJH.js";import"../shared/IYOLXWPY.js";var p=(o,m)=>({...r("square-wave/1",m,e(o,"window keep lie")),rounding:"nearest"});export{p as fromSpec};
//# sourceMappingURL=square-wave.js.map
