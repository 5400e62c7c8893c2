import{g as r}from"./ESG5SCET.js";import{e}from"./BW377ODP.js";var s=(m,o)=>{let[p,t]=e(m,"keep lie");return r(o,p,t)};export{s as a};
//# sourceMappingURL=IEORPNJD.js.map
