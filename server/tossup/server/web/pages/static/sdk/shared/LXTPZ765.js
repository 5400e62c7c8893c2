import{g as r}from"./VOYDUXYY.js";import{e}from"./V74T7KSB.js";var s=(m,o)=>{let[p,t]=e(m,"keep lie");return r(o,p,t)};export{s as a};
//# sourceMappingURL=LXTPZ765.js.map
