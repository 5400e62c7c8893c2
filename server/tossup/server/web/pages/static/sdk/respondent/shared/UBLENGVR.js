import{g as r}from"./IPJ5BGSG.js";import{e}from"./4NQSZUOZ.js";var s=(m,o)=>{let[p,t]=e(m,"keep lie");return r(o,p,t)};export{s as a};
