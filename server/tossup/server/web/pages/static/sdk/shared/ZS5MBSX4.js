import{g as r}from"./OJRMJUZH.js";import{e}from"./C7WMAUAP.js";var s=(m,o)=>{let[p,t]=e(m,"keep lie");return r(o,p,t)};export{s as a};
//# sourceMappingURL=ZS5MBSX4.js.map
