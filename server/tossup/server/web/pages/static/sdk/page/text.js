<<<<<<< HEAD
import{a as t,b as r}from"../shared/VWMUSK2H.js";import"../shared/D7DV7PPY.js";function l(a){let e=r(a,"[data-text]")[0];return()=>e.value.trim()?{answer:e.value}:t}export{l as field};
=======
import{a as t,b as r}from"../shared/NGAF6G3Z.js";import"../shared/S7EVXG67.js";function l(a){let e=r(a,"[data-text]")[0];return()=>e.value.trim()?{answer:e.value}:t}export{l as field};
>>>>>>> 6bcf1c49 (web: renew the browser SDK's files (#12))
//# sourceMappingURL=text.js.map
