import{g as r}from"./NPMDNTZF.js";import{e}from"./GBHETARJ.js";var s=(m,o)=>{let[p,t]=e(m,"keep lie");return r(o,p,t)};export{s as a};
//# sourceMappingURL=DMXGGRKA.js.map
