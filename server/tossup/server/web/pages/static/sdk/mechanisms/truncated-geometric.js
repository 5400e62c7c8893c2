import{e as m}from"../shared/5OMKP2SX.js";import"../shared/EZM5RJC2.js";import"../shared/GVT343UY.js";import{b as r,d as t}from"../shared/V74T7KSB.js";import"../shared/UQQUMMZV.js";var n=(e,c)=>{t(e,"tails");let o=m("truncated-geometric/1",c,e);return r(!o.margin,"a tail for every point"),o};export{n as fromSpec};
//# sourceMappingURL=truncated-geometric.js.map
