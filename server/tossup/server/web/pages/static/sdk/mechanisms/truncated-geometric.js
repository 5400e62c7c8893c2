import{e as m}from"../shared/AUIML2BL.js";import"../shared/EZM5RJC2.js";import"../shared/XTB43UEP.js";import{b as r,d as t}from"../shared/BW377ODP.js";import"../shared/GAXZGMM5.js";var n=(e,c)=>{t(e,"tails");let o=m("truncated-geometric/1",c,e);return r(!o.margin,"a tail for every point"),o};export{n as fromSpec};
//# sourceMappingURL=truncated-geometric.js.map
