import{e as m}from"../shared/3I4XSQG3.js";import"../shared/EZM5RJC2.js";import"../shared/XOZM7QNF.js";import{b as r,d as t}from"../shared/VVNRXFOM.js";import"../shared/3DIXK3NW.js";var n=(e,c)=>{t(e,"tails");let o=m("truncated-geometric/1",c,e);return r(!o.margin,"a tail for every point"),o};export{n as fromSpec};
//# sourceMappingURL=truncated-geometric.js.map
