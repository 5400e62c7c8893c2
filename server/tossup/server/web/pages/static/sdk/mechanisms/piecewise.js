import{c as m}from"../shared/3I4XSQG3.js";import"../shared/EZM5RJC2.js";import"../shared/XOZM7QNF.js";import{e}from"../shared/VVNRXFOM.js";import"../shared/3DIXK3NW.js";var n=(o,r)=>({...m("piecewise/1",r,e(o,"window keep lie"))});export{n as fromSpec};
//# sourceMappingURL=piecewise.js.map
