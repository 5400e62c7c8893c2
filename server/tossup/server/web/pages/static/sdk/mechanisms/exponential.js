import{a as e}from"../shared/VI5SSXKW.js";import"../shared/EZM5RJC2.js";import"../shared/D62M5KCU.js";import"../shared/VJWQUAJ3.js";import"../shared/S7EVXG67.js";var a=m=>e("exponential/1",m,(o,r,n)=>{let p=Math.max(...o);return o.map(t=>r**BigInt(p-t)*n**BigInt(t))});export{a as fromSpec};
//# sourceMappingURL=exponential.js.map
