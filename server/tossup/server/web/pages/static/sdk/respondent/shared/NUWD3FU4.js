<<<<<<<< HEAD:server/tossup/server/web/pages/static/sdk/respondent/shared/NUWD3FU4.js
import{b as o,c as s}from"./4I73TXDR.js";import{T as n}from"../page/page.js";function p(e,i){let t=e.toString(2).length-1;return o(t>=1&&t<=64&&e===1n<<BigInt(t)),s(i,"most",1,t),{options:t,s:"several",answers:e,isFor:(m,r)=>m===t&&r===i}}var h=(e,i)=>()=>({sentence:"ticks",chances:[e,i].map(t=>[n(t.d-t.n,t.d),t]),namesSeveral:!0});export{p as a,h as b};
========
import{b as o,c as s}from"./KF3ZZOW7.js";import{T as n}from"../page/page.js";function p(e,i){let t=e.toString(2).length-1;return o(t>=1&&t<=64&&e===1n<<BigInt(t)),s(i,"most",1,t),{options:t,s:"several",answers:e,isFor:(m,r)=>m===t&&r===i}}var h=(e,i)=>()=>({sentence:"ticks",chances:[e,i].map(t=>[n(t.d-t.n,t.d),t]),namesSeveral:!0});export{p as a,h as b};
>>>>>>>> 68f35788 (shared, web: let a number say its unit, signed and shown beside the field (#12)):server/tossup/server/web/pages/static/sdk/respondent/shared/EIG5XMHP.js
