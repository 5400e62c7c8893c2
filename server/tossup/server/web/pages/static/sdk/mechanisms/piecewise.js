import{c as m}from"../shared/2RMCEYEB.js";import"../shared/EZM5RJC2.js";import"../shared/OBJKFKRC.js";import{e}from"../shared/UTQX7EJH.js";import"../shared/IYOLXWPY.js";var n=(o,r)=>({...m("piecewise/1",r,e(o,"window keep lie"))});export{n as fromSpec};
//# sourceMappingURL=piecewise.js.map
