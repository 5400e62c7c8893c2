import{e as m}from"../shared/KRL5B3BF.js";import"../shared/EZM5RJC2.js";import"../shared/2JXMP2RW.js";import{b as r,d as t}from"../shared/GBHETARJ.js";import"../shared/LKZCVFRB.js";var n=(e,c)=>{t(e,"tails");let o=m("truncated-geometric/1",c,e);return r(!o.margin,"a tail for every point"),o};export{n as fromSpec};
//# sourceMappingURL=truncated-geometric.js.map
