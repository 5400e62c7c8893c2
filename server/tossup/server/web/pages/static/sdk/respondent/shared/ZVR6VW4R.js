import{f as r}from"./IGSA3F5Z.js";import{e}from"./VJMUOIQP.js";var s=(m,o)=>{let[p,t]=e(m,"keep lie");return r(o,p,t)};export{s as a};
