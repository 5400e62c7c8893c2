import{c as m}from"../shared/5XILFLGV.js";import"../shared/EZM5RJC2.js";import"../shared/A3CBFUXG.js";import{e}from"../shared/QTJGXNYF.js";import"../shared/AF34NPWQ.js";var n=(o,r)=>({...m("piecewise/1",r,e(o,"window keep lie"))});export{n as fromSpec};
//# sourceMappingURL=piecewise.js.map
