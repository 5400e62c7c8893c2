import{f as r}from"./T5Z2WPEB.js";import{e}from"./XBAEMHZE.js";var s=(m,o)=>{let[p,t]=e(m,"keep lie");return r(o,p,t)};export{s as a};
