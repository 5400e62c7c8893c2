import{c as m}from"../shared/5OMKP2SX.js";import"../shared/EZM5RJC2.js";import"../shared/GVT343UY.js";import{e}from"../shared/V74T7KSB.js";import"../shared/UQQUMMZV.js";var n=(o,r)=>({...m("piecewise/1",r,e(o,"window keep lie"))});export{n as fromSpec};
//# sourceMappingURL=piecewise.js.map
