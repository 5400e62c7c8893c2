import{f as r}from"./VABHLZWA.js";import{e}from"./LM2IH5R4.js";var s=(m,o)=>{let[p,t]=e(m,"keep lie");return r(o,p,t)};export{s as a};
