import{a as e}from"../shared/RW4KO3D3.js";import"../shared/EZM5RJC2.js";import"../shared/7DFYCHXG.js";import"../shared/EOEEZBKD.js";import"../shared/PXZP6B2L.js";var a=m=>e("exponential/1",m,(o,r,n)=>{let p=Math.max(...o);return o.map(t=>r**BigInt(p-t)*n**BigInt(t))});export{a as fromSpec};
//# sourceMappingURL=exponential.js.map
