import{c as m}from"../shared/N4MUSWPN.js";import"../shared/BSMWBRRJ.js";import"../shared/J6XWKTGK.js";import{e}from"../shared/FJJ4KGM3.js";import"../shared/GI3Y36QC.js";var n=(o,r)=>({...m("piecewise/1",r,e(o,"window keep lie"))});export{n as fromSpec};
//# sourceMappingURL=piecewise.js.map
