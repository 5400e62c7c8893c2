import{a as e}from"../shared/4RZHS5I7.js";import"../shared/BSMWBRRJ.js";import"../shared/BJ2CA6WB.js";import"../shared/EEZGQUCI.js";import"../shared/3BJ2DEKB.js";var a=m=>e("exponential/1",m,(o,r,n)=>{let p=Math.max(...o);return o.map(t=>r**BigInt(p-t)*n**BigInt(t))});export{a as fromSpec};
//# sourceMappingURL=exponential.js.map
