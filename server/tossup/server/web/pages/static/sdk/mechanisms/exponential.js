import{a as e}from"../shared/DN2S36ID.js";import"../shared/EZM5RJC2.js";import"../shared/XOZM7QNF.js";import"../shared/VVNRXFOM.js";import"../shared/3DIXK3NW.js";var a=m=>e("exponential/1",m,(o,r,n)=>{let p=Math.max(...o);return o.map(t=>r**BigInt(p-t)*n**BigInt(t))});export{a as fromSpec};
//# sourceMappingURL=exponential.js.map
