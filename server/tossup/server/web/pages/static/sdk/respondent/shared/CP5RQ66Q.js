import{f as r}from"./ZYJDJKRM.js";import{e}from"./LJI7BQ4S.js";var s=(m,o)=>{let[p,t]=e(m,"keep lie");return r(o,p,t)};export{s as a};
