import{c as m}from"../shared/VGN3CZHO.js";import"../shared/EZM5RJC2.js";import"../shared/64ZARKXL.js";import{e}from"../shared/7BOPMWQM.js";import"../shared/LLVC3P57.js";var n=(o,r)=>({...m("piecewise/1",r,e(o,"window keep lie"))});export{n as fromSpec};
//# sourceMappingURL=piecewise.js.map
