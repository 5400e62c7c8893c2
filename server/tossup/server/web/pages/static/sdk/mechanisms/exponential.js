import{a as e}from"../shared/AP246VBT.js";import"../shared/EZM5RJC2.js";import"../shared/U2J62NLE.js";import"../shared/7LNDQQSP.js";import"../shared/7NOMCBGN.js";var a=m=>e("exponential/1",m,(o,r,n)=>{let p=Math.max(...o);return o.map(t=>r**BigInt(p-t)*n**BigInt(t))});export{a as fromSpec};
//# sourceMappingURL=exponential.js.map
