import{b as e}from"../shared/PFDDWWVB.js";import{b as t}from"../shared/PLQ2LSJE.js";import"../shared/7NOMCBGN.js";function p(o){let u=t(o,"[data-number]");return()=>{let r=[];for(let i of u){let n=e(i);if("wrong"in n)return n;r.push(n.answer)}return{answer:r}}}export{p as field};
//# sourceMappingURL=vector.js.map
