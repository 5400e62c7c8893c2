import{e as m}from"../shared/OO36WDOY.js";import"../shared/EZM5RJC2.js";import"../shared/2TK3FFPG.js";import{b as r,d as t}from"../shared/LYKLEBM5.js";import"../shared/HNURKHTX.js";var n=(e,c)=>{t(e,"tails");let o=m("truncated-geometric/1",c,e);return r(!o.margin,"a tail for every point"),o};export{n as fromSpec};
//# sourceMappingURL=truncated-geometric.js.map
