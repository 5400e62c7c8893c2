import{g as r}from"./TXHYIL3L.js";import{e}from"./FJJ4KGM3.js";var s=(m,o)=>{let[p,t]=e(m,"keep lie");return r(o,p,t)};export{s as a};
//# sourceMappingURL=ML36JFGB.js.map
