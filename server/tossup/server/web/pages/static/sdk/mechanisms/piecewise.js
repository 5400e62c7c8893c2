import{c as m}from"../shared/UMGL7VWG.js";import"../shared/BSMWBRRJ.js";import"../shared/BJ2CA6WB.js";import{e}from"../shared/EEZGQUCI.js";import"../shared/3BJ2DEKB.js";var n=(o,r)=>({...m("piecewise/1",r,e(o,"window keep lie"))});export{n as fromSpec};
//# sourceMappingURL=piecewise.js.map
