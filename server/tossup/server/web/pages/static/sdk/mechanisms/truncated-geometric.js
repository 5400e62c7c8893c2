import{e as m}from"../shared/5XILFLGV.js";import"../shared/EZM5RJC2.js";import"../shared/A3CBFUXG.js";import{b as r,d as t}from"../shared/QTJGXNYF.js";import"../shared/AF34NPWQ.js";var n=(e,c)=>{t(e,"tails");let o=m("truncated-geometric/1",c,e);return r(!o.margin,"a tail for every point"),o};export{n as fromSpec};
//# sourceMappingURL=truncated-geometric.js.map
