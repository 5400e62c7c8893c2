import{e as m}from"../shared/2RMCEYEB.js";import"../shared/EZM5RJC2.js";import"../shared/OBJKFKRC.js";import{b as r,d as t}from"../shared/UTQX7EJH.js";import"../shared/IYOLXWPY.js";var n=(e,c)=>{t(e,"tails");let o=m("truncated-geometric/1",c,e);return r(!o.margin,"a tail for every point"),o};export{n as fromSpec};
//# sourceMappingURL=truncated-geometric.js.map
