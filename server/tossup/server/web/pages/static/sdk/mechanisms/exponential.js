import{a as e}from"../shared/JJPWCJYL.js";import"../shared/EZM5RJC2.js";import"../shared/A3CBFUXG.js";import"../shared/QTJGXNYF.js";import"../shared/AF34NPWQ.js";var a=m=>e("exponential/1",m,(o,r,n)=>{let p=Math.max(...o);return o.map(t=>r**BigInt(p-t)*n**BigInt(t))});export{a as fromSpec};
//# sourceMappingURL=exponential.js.map
