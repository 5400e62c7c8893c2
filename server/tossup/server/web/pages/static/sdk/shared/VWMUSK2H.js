var o={wrong:"missing"};function d(e,n){return[...e.querySelectorAll(n)]}var l={"yes-no":()=>({field:e=>()=>t(e,n=>n==="yes")}),radio:()=>({field:e=>()=>t(e,n=>n)}),menu:()=>({field:e=>()=>i(e.querySelector("select")?.value)}),ticks:()=>import("../page/ticks.js"),number:()=>import("../page/number.js"),vector:()=>import("../page/vector.js"),text:()=>import("../page/text.js"),order:()=>import("../page/order.js")};function t(e,n){let r=d(e,":checked")[0];return r?{answer:n(r.value)}:o}function i(e){return e?{answer:e}:o}export{o as a,d as b,l as c};
<<<<<<<< HEAD:server/tossup/server/web/pages/static/sdk/shared/VWMUSK2H.js
//# sourceMappingURL=VWMUSK2H.js.map
========
//# sourceMappingURL=NGAF6G3Z.js.map
>>>>>>>> 6bcf1c49 (web: renew the browser SDK's files (#12)):server/tossup/server/web/pages/static/sdk/shared/NGAF6G3Z.js
