import{c as m}from"../shared/7WADIQ4A.js";import"../shared/EZM5RJC2.js";import"../shared/NMXLQG7P.js";import{e}from"../shared/W3RWFEL4.js";import"../shared/2DEBMJG4.js";var n=(o,r)=>({...m("piecewise/1",r,e(o,"window keep lie"))});export{n as fromSpec};
//# sourceMappingURL=piecewise.js.map
