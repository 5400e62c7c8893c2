<<<<<<<< HEAD:server/tossup/server/web/pages/static/sdk/shared/K6YFUBVD.js
import{b as o,c as s}from"./7BOPMWQM.js";import{j as n}from"./LLVC3P57.js";function p(e,i){let t=e.toString(2).length-1;return o(t>=1&&t<=64&&e===1n<<BigInt(t),"1 to 64 options"),s(i,"most",1,t),{options:t,answerKind:"several",answers:e,isFor:(m,r)=>m===t&&r===i}}var h=(e,i)=>()=>({sentence:"ticks",chances:[e,i].map(t=>[n(t.d-t.n,t.d),t]),namesSeveral:!0});export{p as a,h as b};
//# sourceMappingURL=K6YFUBVD.js.map
========
import{b as o,c as s}from"./C7WMAUAP.js";import{j as n}from"./AJCG4ZKV.js";function p(e,i){let t=e.toString(2).length-1;return o(t>=1&&t<=64&&e===1n<<BigInt(t),"1 to 64 options"),s(i,"most",1,t),{options:t,answerKind:"several",answers:e,isFor:(m,r)=>m===t&&r===i}}var h=(e,i)=>()=>({sentence:"ticks",chances:[e,i].map(t=>[n(t.d-t.n,t.d),t]),namesSeveral:!0});export{p as a,h as b};
//# sourceMappingURL=WGKCO5YE.js.map
>>>>>>>> 68f35788 (shared, web: let a number say its unit, signed and shown beside the field (#12)):server/tossup/server/web/pages/static/sdk/shared/WGKCO5YE.js
