import{f as r}from"./7JVNFQEH.js";import{e}from"./VJWQUAJ3.js";var s=(m,o)=>{let[p,t]=e(m,"keep lie");return r(o,p,t)};export{s as a};
//# sourceMappingURL=LVIFQDXJ.js.map
