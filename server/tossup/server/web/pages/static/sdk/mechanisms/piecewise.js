import{c as m}from"../shared/FPGUQQMO.js";import"../shared/EZM5RJC2.js";import"../shared/D62M5KCU.js";import{e}from"../shared/VJWQUAJ3.js";import"../shared/S7EVXG67.js";var n=(o,r)=>({...m("piecewise/1",r,e(o,"window keep lie"))});export{n as fromSpec};
//# sourceMappingURL=piecewise.js.map
