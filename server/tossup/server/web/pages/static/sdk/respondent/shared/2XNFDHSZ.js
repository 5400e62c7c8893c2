import{g as r}from"./Y6ISIY6K.js";import{e}from"./IX3XXHPP.js";var s=(m,o)=>{let[p,t]=e(m,"keep lie");return r(o,p,t)};export{s as a};
