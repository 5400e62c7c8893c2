import{a as t,b as r}from"../shared/PLQ2LSJE.js";import"../shared/7NOMCBGN.js";function l(a){let e=r(a,"[data-text]")[0];return()=>e.value.trim()?{answer:e.value}:t}export{l as field};
//# sourceMappingURL=text.js.map
