import{g as r}from"./X7NU74CB.js";import{e}from"./KL4RVMMD.js";var s=(m,o)=>{let[p,t]=e(m,"keep lie");return r(o,p,t)};export{s as a};
