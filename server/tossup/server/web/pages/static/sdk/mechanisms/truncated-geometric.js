import{e as m}from"../shared/N4MUSWPN.js";import"../shared/BSMWBRRJ.js";import"../shared/J6XWKTGK.js";import{b as r,d as t}from"../shared/FJJ4KGM3.js";import"../shared/GI3Y36QC.js";var n=(e,c)=>{t(e,"tails");let o=m("truncated-geometric/1",c,e);return r(!o.margin,"a tail for every point"),o};export{n as fromSpec};
//# sourceMappingURL=truncated-geometric.js.map
