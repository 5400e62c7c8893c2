<<<<<<<< HEAD:server/tossup/server/web/pages/static/sdk/shared/PQEAJJAR.js
import{a as r,b as i}from"./VWMUSK2H.js";function l(t){let e=i(t,"[data-number]")[0];return()=>u(e)}function u(t){let e=o(t.value);return e?(t.dataset.number==="integers"?/^[+-]?\d{1,15}$/:/^[+-]?\d{1,15}([.]\d{1,15})?$/).test(e)?{answer:Number(e)}:{wrong:"number"}:r}function o(t){return t.replace(/(?=[\0-\uffff])\p{Nd}/gu,n=>String(a(n))).trim().replace(/[−–]/,"-").replace(/[,٫]/,".")}function a(t){let e=t.codePointAt(0),n=0;for(;n<9&&/\p{Nd}/u.test(String.fromCodePoint(e-1));)[e,n]=[e-1,n+1];return n}export{l as a,u as b};
//# sourceMappingURL=PQEAJJAR.js.map
========
import{a as r,b as i}from"./NGAF6G3Z.js";function l(t){let e=i(t,"[data-number]")[0];return()=>u(e)}function u(t){let e=o(t.value);return e?(t.dataset.number==="integers"?/^[+-]?\d{1,15}$/:/^[+-]?\d{1,15}([.]\d{1,15})?$/).test(e)?{answer:Number(e)}:{wrong:"number"}:r}function o(t){return t.replace(/(?=[\0-\uffff])\p{Nd}/gu,n=>String(a(n))).trim().replace(/[−–]/,"-").replace(/[,٫]/,".")}function a(t){let e=t.codePointAt(0),n=0;for(;n<9&&/\p{Nd}/u.test(String.fromCodePoint(e-1));)[e,n]=[e-1,n+1];return n}export{l as a,u as b};
//# sourceMappingURL=Y664CM5X.js.map
>>>>>>>> 6bcf1c49 (web: renew the browser SDK's files (#12)):server/tossup/server/web/pages/static/sdk/shared/Y664CM5X.js
