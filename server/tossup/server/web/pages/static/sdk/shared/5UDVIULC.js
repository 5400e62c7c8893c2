import{g as r}from"./MHYPX7MD.js";import{e}from"./DSRLWUYI.js";var s=(m,o)=>{let[p,t]=e(m,"keep lie");return r(o,p,t)};export{s as a};
//# sourceMappingURL=5UDVIULC.js.map
