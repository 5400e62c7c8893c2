import{a as e}from"../shared/CWDB4Q4R.js";import"../shared/EZM5RJC2.js";import"../shared/NMXLQG7P.js";import"../shared/W3RWFEL4.js";import"../shared/2DEBMJG4.js";var a=m=>e("exponential/1",m,(o,r,n)=>{let p=Math.max(...o);return o.map(t=>r**BigInt(p-t)*n**BigInt(t))});export{a as fromSpec};
//# sourceMappingURL=exponential.js.map
