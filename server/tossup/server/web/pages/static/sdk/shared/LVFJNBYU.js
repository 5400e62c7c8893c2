import{f as r}from"./KIPJGTT4.js";import{e}from"./UTQX7EJH.js";var s=(m,o)=>{let[p,t]=e(m,"keep lie");return r(o,p,t)};export{s as a};
//# sourceMappingURL=LVFJNBYU.js.map
