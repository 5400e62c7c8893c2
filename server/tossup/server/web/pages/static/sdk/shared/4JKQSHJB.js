<<<<<<<< HEAD:server/tossup/server/web/pages/static/sdk/shared/4JKQSHJB.js
import{a as c,b as p}from"./Y6L2TPQ2.js";import{a as b}from"./MYM4OEUR.js";import{e as u,g as s}from"./7BOPMWQM.js";var d=(r,t)=>{let[m,e]=u(r,"keep lie"),o=2**b(s(t,2,c)+1);return p("hadamard-response/1",t,m,e,{reports:o,blockSize:o/2,meetingSize:o/4,member:(n,i)=>f(n+1,i,0),other:(n,i)=>f(n+1,i,1)})};function a(r,t){let m=r&t;for(let e=16;e;e>>=1)m^=m>>e;return m&1}function f(r,t,m){let e=r&-r,o=t+(t&-e);return o|e*(a(r,o)^m)}export{d as a};
//# sourceMappingURL=4JKQSHJB.js.map
========
import{a as c,b as p}from"./OJRMJUZH.js";import{a as b}from"./MYM4OEUR.js";import{e as u,g as s}from"./C7WMAUAP.js";var d=(r,t)=>{let[m,e]=u(r,"keep lie"),o=2**b(s(t,2,c)+1);return p("hadamard-response/1",t,m,e,{reports:o,blockSize:o/2,meetingSize:o/4,member:(n,i)=>f(n+1,i,0),other:(n,i)=>f(n+1,i,1)})};function a(r,t){let m=r&t;for(let e=16;e;e>>=1)m^=m>>e;return m&1}function f(r,t,m){let e=r&-r,o=t+(t&-e);return o|e*(a(r,o)^m)}export{d as a};
//# sourceMappingURL=DSWIE6KP.js.map
>>>>>>>> 68f35788 (shared, web: let a number say its unit, signed and shown beside the field (#12)):server/tossup/server/web/pages/static/sdk/shared/DSWIE6KP.js
