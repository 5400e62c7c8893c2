import{f as r}from"./GKCL5JMA.js";import{e}from"./EOEEZBKD.js";var s=(m,o)=>{let[p,t]=e(m,"keep lie");return r(o,p,t)};export{s as a};
//# sourceMappingURL=KHQD4BLG.js.map
