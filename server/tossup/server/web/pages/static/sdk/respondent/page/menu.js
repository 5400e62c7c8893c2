import{It as t}from"../page/page.js";function n(r){let e=r.querySelector("select");return()=>e.value?{answer:e.value}:t}export{n as field};
