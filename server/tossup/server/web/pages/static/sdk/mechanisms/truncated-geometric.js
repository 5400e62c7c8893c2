import{e as m}from"../shared/7WADIQ4A.js";import"../shared/EZM5RJC2.js";import"../shared/NMXLQG7P.js";import{b as r,d as t}from"../shared/W3RWFEL4.js";import"../shared/2DEBMJG4.js";var n=(e,c)=>{t(e,"tails");let o=m("truncated-geometric/1",c,e);return r(!o.margin,"a tail for every point"),o};export{n as fromSpec};
//# sourceMappingURL=truncated-geometric.js.map
