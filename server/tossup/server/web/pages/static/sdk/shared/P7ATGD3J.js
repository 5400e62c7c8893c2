import{g as r}from"./GTG3YTAZ.js";import{e}from"./7LNDQQSP.js";var s=(m,o)=>{let[p,t]=e(m,"keep lie");return r(o,p,t)};export{s as a};
//# sourceMappingURL=P7ATGD3J.js.map
