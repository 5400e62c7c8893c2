import{g as r}from"./GJWAYFQ7.js";import{e}from"./3X54Y67Z.js";var s=(m,o)=>{let[p,t]=e(m,"keep lie");return r(o,p,t)};export{s as a};
