import{a as e}from"../shared/5VPTHRDU.js";import"../shared/EZM5RJC2.js";import"../shared/XTB43UEP.js";import"../shared/BW377ODP.js";import"../shared/GAXZGMM5.js";var a=m=>e("exponential/1",m,(o,r,n)=>{let p=Math.max(...o);return o.map(t=>r**BigInt(p-t)*n**BigInt(t))});export{a as fromSpec};
//# sourceMappingURL=exponential.js.map
