import{c as m}from"../shared/7PDL2KQ2.js";import"../shared/EZM5RJC2.js";import"../shared/U2J62NLE.js";import{e}from"../shared/7LNDQQSP.js";import"../shared/7NOMCBGN.js";var n=(o,r)=>({...m("piecewise/1",r,e(o,"window keep lie"))});export{n as fromSpec};
//# sourceMappingURL=piecewise.js.map
