import{c as m}from"../shared/ZHZWQ35L.js";import"../shared/EZM5RJC2.js";import"../shared/7DFYCHXG.js";import{e}from"../shared/EOEEZBKD.js";import"../shared/PXZP6B2L.js";var n=(o,r)=>({...m("piecewise/1",r,e(o,"window keep lie"))});export{n as fromSpec};
//# sourceMappingURL=piecewise.js.map
