import{b as e}from"../shared/PQEAJJAR.js";import{b as t}from"../shared/VWMUSK2H.js";import"../shared/D7DV7PPY.js";function p(o){let u=t(o,"[data-number]");return()=>{let r=[];for(let i of u){let n=e(i);if("wrong"in n)return n;r.push(n.answer)}return{answer:r}}}export{p as field};
//# sourceMappingURL=vector.js.map
