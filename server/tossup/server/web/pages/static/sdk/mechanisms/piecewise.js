import{c as m}from"../shared/KQSXCZLN.js";import"../shared/EZM5RJC2.js";import"../shared/NOYYKBSY.js";import{e}from"../shared/DSRLWUYI.js";import"../shared/4NCQH34Z.js";var n=(o,r)=>({...m("piecewise/1",r,e(o,"window keep lie"))});export{n as fromSpec};
//# sourceMappingURL=piecewise.js.map
