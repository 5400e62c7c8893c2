import{a as e}from"../shared/TGDATCZJ.js";import"../shared/EZM5RJC2.js";import"../shared/GVT343UY.js";import"../shared/V74T7KSB.js";import"../shared/UQQUMMZV.js";var a=m=>e("exponential/1",m,(o,r,n)=>{let p=Math.max(...o);return o.map(t=>r**BigInt(p-t)*n**BigInt(t))});export{a as fromSpec};
//# sourceMappingURL=exponential.js.map
