import{a as e}from"../shared/3JLFY6TQ.js";import"../shared/BSMWBRRJ.js";import"../shared/J6XWKTGK.js";import"../shared/FJJ4KGM3.js";import"../shared/GI3Y36QC.js";var a=m=>e("exponential/1",m,(o,r,n)=>{let p=Math.max(...o);return o.map(t=>r**BigInt(p-t)*n**BigInt(t))});export{a as fromSpec};
//# sourceMappingURL=exponential.js.map
