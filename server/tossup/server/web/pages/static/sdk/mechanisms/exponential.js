import{a as e}from"../shared/L2MSJ6TA.js";import"../shared/EZM5RJC2.js";import"../shared/2JXMP2RW.js";import"../shared/GBHETARJ.js";import"../shared/LKZCVFRB.js";var a=m=>e("exponential/1",m,(o,r,n)=>{let p=Math.max(...o);return o.map(t=>r**BigInt(p-t)*n**BigInt(t))});export{a as fromSpec};
//# sourceMappingURL=exponential.js.map
