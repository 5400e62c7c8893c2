import{f as r}from"./O6LJBGHU.js";import{e}from"./LYKLEBM5.js";var s=(m,o)=>{let[p,t]=e(m,"keep lie");return r(o,p,t)};export{s as a};
//# sourceMappingURL=F7EZKBKR.js.map
