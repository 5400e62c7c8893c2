<<<<<<<< HEAD:server/tossup/server/web/pages/static/sdk/respondent/shared/BZKUGDWW.js
import{f as r}from"./BIPBXU3L.js";import{e}from"./4I73TXDR.js";var s=(m,o)=>{let[p,t]=e(m,"keep lie");return r(o,p,t)};export{s as a};
========
import{f as r}from"./UAOM7LMA.js";import{e}from"./KF3ZZOW7.js";var s=(m,o)=>{let[p,t]=e(m,"keep lie");return r(o,p,t)};export{s as a};
>>>>>>>> 68f35788 (shared, web: let a number say its unit, signed and shown beside the field (#12)):server/tossup/server/web/pages/static/sdk/respondent/shared/GUAFK35S.js
