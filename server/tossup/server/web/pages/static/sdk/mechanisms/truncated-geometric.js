import{e as m}from"../shared/FPGUQQMO.js";import"../shared/EZM5RJC2.js";import"../shared/D62M5KCU.js";import{b as r,d as t}from"../shared/VJWQUAJ3.js";import"../shared/S7EVXG67.js";var n=(e,c)=>{t(e,"tails");let o=m("truncated-geometric/1",c,e);return r(!o.margin,"a tail for every point"),o};export{n as fromSpec};
//# sourceMappingURL=truncated-geometric.js.map
