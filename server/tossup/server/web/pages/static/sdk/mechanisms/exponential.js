import{a as e}from"../shared/D7PQ3I57.js";import"../shared/EZM5RJC2.js";import"../shared/64ZARKXL.js";import"../shared/7BOPMWQM.js";import"../shared/LLVC3P57.js";var a=m=>e("exponential/1",m,(o,r,n)=>{let p=Math.max(...o);return o.map(t=>r**BigInt(p-t)*n**BigInt(t))});export{a as fromSpec};
//# sourceMappingURL=exponential.js.map
