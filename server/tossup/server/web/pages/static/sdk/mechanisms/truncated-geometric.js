import{e as m}from"../shared/N6BGKYZQ.js";import"../shared/EZM5RJC2.js";import"../shared/3DYJTMR2.js";import{b as r,d as t}from"../shared/4HUSLZU6.js";import"../shared/HHCCAAOS.js";var n=(e,c)=>{t(e,"tails");let o=m("truncated-geometric/1",c,e);return r(!o.margin,"a tail for every point"),o};export{n as fromSpec};
//# sourceMappingURL=truncated-geometric.js.map
