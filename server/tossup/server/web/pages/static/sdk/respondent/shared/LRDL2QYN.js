import{g as r}from"./QEBRNODR.js";import{e}from"./O6NU567Y.js";var s=(m,o)=>{let[p,t]=e(m,"keep lie");return r(o,p,t)};export{s as a};
