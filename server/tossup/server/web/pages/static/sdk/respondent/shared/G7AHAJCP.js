import{g as r}from"./SSLXCQAT.js";import{e}from"./VJ2RRYAV.js";var s=(m,o)=>{let[p,t]=e(m,"keep lie");return r(o,p,t)};export{s as a};
