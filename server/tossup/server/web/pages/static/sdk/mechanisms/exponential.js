import{a as e}from"../shared/ESRIUGNQ.js";import"../shared/EZM5RJC2.js";import"../shared/OBJKFKRC.js";import"../shared/UTQX7EJH.js";import"../shared/IYOLXWPY.js";var a=m=>e("exponential/1",m,(o,r,n)=>{let p=Math.max(...o);return o.map(t=>r**BigInt(p-t)*n**BigInt(t))});export{a as fromSpec};
//# sourceMappingURL=exponential.js.map
