import{g as r}from"./26P2QPPD.js";import{e}from"./LT34EQ3D.js";var s=(m,o)=>{let[p,t]=e(m,"keep lie");return r(o,p,t)};export{s as a};
