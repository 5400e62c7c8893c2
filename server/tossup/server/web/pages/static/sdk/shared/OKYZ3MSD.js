import{g as r}from"./WQLYVJK6.js";import{e}from"./4HUSLZU6.js";var s=(m,o)=>{let[p,t]=e(m,"keep lie");return r(o,p,t)};export{s as a};
//# sourceMappingURL=OKYZ3MSD.js.map
