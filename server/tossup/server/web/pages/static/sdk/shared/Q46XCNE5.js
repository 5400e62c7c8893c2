import{f as r}from"./Y6L2TPQ2.js";import{e}from"./7BOPMWQM.js";var s=(m,o)=>{let[p,t]=e(m,"keep lie");return r(o,p,t)};export{s as a};
//# sourceMappingURL=Q46XCNE5.js.map
