<<<<<<< HEAD
import{b as e}from"../shared/PQEAJJAR.js";import{b as t}from"../shared/VWMUSK2H.js";import"../shared/D7DV7PPY.js";function p(o){let u=t(o,"[data-number]");return()=>{let r=[];for(let i of u){let n=e(i);if("wrong"in n)return n;r.push(n.answer)}return{answer:r}}}export{p as field};
=======
import{b as e}from"../shared/Y664CM5X.js";import{b as t}from"../shared/NGAF6G3Z.js";import"../shared/S7EVXG67.js";function p(o){let u=t(o,"[data-number]");return()=>{let r=[];for(let i of u){let n=e(i);if("wrong"in n)return n;r.push(n.answer)}return{answer:r}}}export{p as field};
>>>>>>> 6bcf1c49 (web: renew the browser SDK's files (#12))
//# sourceMappingURL=vector.js.map
