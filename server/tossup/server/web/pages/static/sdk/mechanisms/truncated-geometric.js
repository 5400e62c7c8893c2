import{e as m}from"../shared/7PDL2KQ2.js";import"../shared/EZM5RJC2.js";import"../shared/U2J62NLE.js";import{b as r,d as t}from"../shared/7LNDQQSP.js";import"../shared/7NOMCBGN.js";var n=(e,c)=>{t(e,"tails");let o=m("truncated-geometric/1",c,e);return r(!o.margin,"a tail for every point"),o};export{n as fromSpec};
//# sourceMappingURL=truncated-geometric.js.map
