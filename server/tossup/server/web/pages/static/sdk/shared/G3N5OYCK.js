import{g as r}from"./NZIPKBP6.js";import{e}from"./EEZGQUCI.js";var s=(m,o)=>{let[p,t]=e(m,"keep lie");return r(o,p,t)};export{s as a};
//# sourceMappingURL=G3N5OYCK.js.map
