<<<<<<<< HEAD:server/tossup/server/web/pages/static/sdk/shared/BWXZ5QN6.js
import{a as l,b as u,i as b,j as t,k as p}from"./Y6L2TPQ2.js";import{e as c,g as h}from"./7BOPMWQM.js";var S=(f,n)=>{let[e,a,M]=c(f,"field keep lie");b(e);let d=h(n,2,l),o=1;for(;e**o<d;)o++;let i=(m,r)=>p(t(m,e,o),t(r,e,o),e);return u("local-hashing/1",n,a,M,{reports:e**(o+1),blockSize:e**o,meetingSize:e**(o-1),member:(m,r)=>r*e+i(r,m),other(m,r){let s=Math.floor(r/(e-1));return s*e+(i(s,m)+1+r%(e-1))%e}})};export{S as a};
//# sourceMappingURL=BWXZ5QN6.js.map
========
import{a as l,b as u,i as b,j as t,k as p}from"./OJRMJUZH.js";import{e as c,g as h}from"./C7WMAUAP.js";var S=(f,n)=>{let[e,a,M]=c(f,"field keep lie");b(e);let d=h(n,2,l),o=1;for(;e**o<d;)o++;let i=(m,r)=>p(t(m,e,o),t(r,e,o),e);return u("local-hashing/1",n,a,M,{reports:e**(o+1),blockSize:e**o,meetingSize:e**(o-1),member:(m,r)=>r*e+i(r,m),other(m,r){let s=Math.floor(r/(e-1));return s*e+(i(s,m)+1+r%(e-1))%e}})};export{S as a};
//# sourceMappingURL=OQO3E2FI.js.map
>>>>>>>> 68f35788 (shared, web: let a number say its unit, signed and shown beside the field (#12)):server/tossup/server/web/pages/static/sdk/shared/OQO3E2FI.js
