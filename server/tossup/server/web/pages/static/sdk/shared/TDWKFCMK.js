import{g as r}from"./3RHZ74QF.js";import{e}from"./QTJGXNYF.js";var s=(m,o)=>{let[p,t]=e(m,"keep lie");return r(o,p,t)};export{s as a};
//# sourceMappingURL=TDWKFCMK.js.map
