import{c as m}from"../shared/OO36WDOY.js";import"../shared/EZM5RJC2.js";import"../shared/2TK3FFPG.js";import{e}from"../shared/LYKLEBM5.js";import"../shared/HNURKHTX.js";var n=(o,r)=>({...m("piecewise/1",r,e(o,"window keep lie"))});export{n as fromSpec};
//# sourceMappingURL=piecewise.js.map
