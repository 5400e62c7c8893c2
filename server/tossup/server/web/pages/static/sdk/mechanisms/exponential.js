import{a as e}from"../shared/TZ4KYBGY.js";import"../shared/EZM5RJC2.js";import"../shared/3DYJTMR2.js";import"../shared/4HUSLZU6.js";import"../shared/HHCCAAOS.js";var a=m=>e("exponential/1",m,(o,r,n)=>{let p=Math.max(...o);return o.map(t=>r**BigInt(p-t)*n**BigInt(t))});export{a as fromSpec};
//# sourceMappingURL=exponential.js.map
