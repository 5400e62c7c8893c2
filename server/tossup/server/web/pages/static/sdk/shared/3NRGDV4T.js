import{g as r}from"./6BGBVZS7.js";import{e}from"./VVNRXFOM.js";var s=(m,o)=>{let[p,t]=e(m,"keep lie");return r(o,p,t)};export{s as a};
//# sourceMappingURL=3NRGDV4T.js.map
