import{a as t,b as r}from"../shared/O6BIUYPE.js";import"../shared/D44IJOGY.js";function l(a){let e=r(a,"[data-text]")[0];return()=>e.value.trim()?{answer:e.value}:t}export{l as field};
//# sourceMappingURL=text.js.map
