import{g as r}from"./BIPBXU3L.js";import{e}from"./4I73TXDR.js";var s=(m,o)=>{let[p,t]=e(m,"keep lie");return r(o,p,t)};export{s as a};
