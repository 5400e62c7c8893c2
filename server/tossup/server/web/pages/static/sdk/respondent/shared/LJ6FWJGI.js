import{f as r}from"./CIRARIPI.js";import{e}from"./ZSOPYVOX.js";var s=(m,o)=>{let[p,t]=e(m,"keep lie");return r(o,p,t)};export{s as a};
