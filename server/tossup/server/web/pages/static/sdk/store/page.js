<<<<<<< HEAD
import{c as o,e as n}from"../shared/D44IJOGY.js";function m(s){s!=="none"&&o("misconfigured","persist is device or none");let e=n();return{isDurable:!1,read:async()=>e,transact:async(i,a)=>{let t=structuredClone(e),r=i(t);return a?.(r),e=t,r}}}export{m as pageStore};
=======
import{f as o,h as n}from"../shared/2DEBMJG4.js";function m(s){s!=="none"&&o("misconfigured","persist is device or none");let e=n();return{isDurable:!1,read:async()=>e,transact:async(i,a)=>{let t=structuredClone(e),r=i(t);return a?.(r),e=t,r}}}export{m as pageStore};
>>>>>>> cc458540 (web: build with all mechanisms; hold vectors, channels, refusals and sizes of the browser's by tests (#12))
//# sourceMappingURL=page.js.map
