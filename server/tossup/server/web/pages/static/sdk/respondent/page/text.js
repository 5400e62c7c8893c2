import{It as t,x as r}from"../page/page.js";function l(a){let e=r(a,"[data-text]")[0];return()=>e.value.trim()?{answer:e.value}:t}export{l as field};
