import{c as m}from"../shared/N6BGKYZQ.js";import"../shared/EZM5RJC2.js";import"../shared/3DYJTMR2.js";import{e}from"../shared/4HUSLZU6.js";import"../shared/HHCCAAOS.js";var n=(o,r)=>({...m("piecewise/1",r,e(o,"window keep lie"))});export{n as fromSpec};
//# sourceMappingURL=piecewise.js.map
