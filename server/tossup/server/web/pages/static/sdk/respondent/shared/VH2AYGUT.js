import{g as r}from"./KP3BFRSY.js";import{e}from"./IDHH4KGP.js";var s=(m,o)=>{let[p,t]=e(m,"keep lie");return r(o,p,t)};export{s as a};
