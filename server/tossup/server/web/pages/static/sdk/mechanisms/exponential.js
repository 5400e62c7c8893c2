import{a as e}from"../shared/YDP4KXA7.js";import"../shared/EZM5RJC2.js";import"../shared/NOYYKBSY.js";import"../shared/DSRLWUYI.js";import"../shared/4NCQH34Z.js";var a=m=>e("exponential/1",m,(o,r,n)=>{let p=Math.max(...o);return o.map(t=>r**BigInt(p-t)*n**BigInt(t))});export{a as fromSpec};
//# sourceMappingURL=exponential.js.map
