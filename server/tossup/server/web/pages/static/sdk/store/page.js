import{b as o,d as n}from"../shared/3BJ2DEKB.js";function m(s){s!=="none"&&o("misconfigured","persist is device or none");let e=n();return{isDurable:!1,read:async()=>e,transact:async(i,a)=>{let t=structuredClone(e),r=i(t);return a?.(r),e=t,r}}}export{m as pageStore};
//# sourceMappingURL=page.js.map
