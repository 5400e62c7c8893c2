import{g as r}from"./3GOOGL6N.js";import{e}from"./ICZRIMTF.js";var s=(m,o)=>{let[p,t]=e(m,"keep lie");return r(o,p,t)};export{s as a};
