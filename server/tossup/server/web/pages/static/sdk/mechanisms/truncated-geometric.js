import{e as m}from"../shared/VGN3CZHO.js";import"../shared/EZM5RJC2.js";import"../shared/64ZARKXL.js";import{b as r,d as t}from"../shared/7BOPMWQM.js";import"../shared/LLVC3P57.js";var n=(e,c)=>{t(e,"tails");let o=m("truncated-geometric/1",c,e);return r(!o.margin,"a tail for every point"),o};export{n as fromSpec};
//# sourceMappingURL=truncated-geometric.js.map
