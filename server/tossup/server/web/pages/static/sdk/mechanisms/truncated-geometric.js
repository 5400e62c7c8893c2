import{e as m}from"../shared/KQSXCZLN.js";import"../shared/EZM5RJC2.js";import"../shared/NOYYKBSY.js";import{b as r,d as t}from"../shared/DSRLWUYI.js";import"../shared/4NCQH34Z.js";var n=(e,c)=>{t(e,"tails");let o=m("truncated-geometric/1",c,e);return r(!o.margin,"a tail for every point"),o};export{n as fromSpec};
//# sourceMappingURL=truncated-geometric.js.map
