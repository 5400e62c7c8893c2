import{e as m}from"../shared/UMGL7VWG.js";import"../shared/BSMWBRRJ.js";import"../shared/BJ2CA6WB.js";import{b as r,d as t}from"../shared/EEZGQUCI.js";import"../shared/3BJ2DEKB.js";var n=(e,c)=>{t(e,"tails");let o=m("truncated-geometric/1",c,e);return r(!o.margin,"a tail for every point"),o};export{n as fromSpec};
//# sourceMappingURL=truncated-geometric.js.map
