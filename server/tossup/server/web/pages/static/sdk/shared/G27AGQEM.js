import{f as r}from"./OJRMJUZH.js";import{e}from"./C7WMAUAP.js";var s=(m,o)=>{let[p,t]=e(m,"keep lie");return r(o,p,t)};export{s as a};
//# sourceMappingURL=G27AGQEM.js.map
