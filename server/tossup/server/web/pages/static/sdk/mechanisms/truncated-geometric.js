import{e as m}from"../shared/ZHZWQ35L.js";import"../shared/EZM5RJC2.js";import"../shared/7DFYCHXG.js";import{b as r,d as t}from"../shared/EOEEZBKD.js";import"../shared/PXZP6B2L.js";var n=(e,c)=>{t(e,"tails");let o=m("truncated-geometric/1",c,e);return r(!o.margin,"a tail for every point"),o};export{n as fromSpec};
//# sourceMappingURL=truncated-geometric.js.map
