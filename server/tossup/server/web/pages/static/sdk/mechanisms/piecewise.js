import{c as m}from"../shared/KRL5B3BF.js";import"../shared/EZM5RJC2.js";import"../shared/2JXMP2RW.js";import{e}from"../shared/GBHETARJ.js";import"../shared/LKZCVFRB.js";var n=(o,r)=>({...m("piecewise/1",r,e(o,"window keep lie"))});export{n as fromSpec};
//# sourceMappingURL=piecewise.js.map
