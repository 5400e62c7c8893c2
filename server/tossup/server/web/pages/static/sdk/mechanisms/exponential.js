import{a as e}from"../shared/LXEWL67Y.js";import"../shared/EZM5RJC2.js";import"../shared/2TK3FFPG.js";import"../shared/LYKLEBM5.js";import"../shared/HNURKHTX.js";var a=m=>e("exponential/1",m,(o,r,n)=>{let p=Math.max(...o);return o.map(t=>r**BigInt(p-t)*n**BigInt(t))});export{a as fromSpec};
//# sourceMappingURL=exponential.js.map
