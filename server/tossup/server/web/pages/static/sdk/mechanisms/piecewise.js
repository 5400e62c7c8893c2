import{c as m}from"../shared/AUIML2BL.js";import"../shared/EZM5RJC2.js";import"../shared/XTB43UEP.js";import{e}from"../shared/BW377ODP.js";import"../shared/GAXZGMM5.js";var n=(o,r)=>({...m("piecewise/1",r,e(o,"window keep lie"))});export{n as fromSpec};
//# sourceMappingURL=piecewise.js.map
