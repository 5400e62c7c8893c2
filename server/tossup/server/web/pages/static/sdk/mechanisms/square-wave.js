import{c as r}from"../shared/7WADIQ4A.js";import"../shared/EZM5RJC2.js";import"../shared/NMXLQG7P.js";import{e}from"../shared/W3RWFEL4.js";import"../shared/2DEBMJG4.js";var p=(o,m)=>({...r("square-wave/1",m,e(o,"window keep lie")),rounding:"nearest"});export{p as fromSpec};
//# sourceMappingURL=square-wave.js.map
