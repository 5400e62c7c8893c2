<<<<<<< HEAD
import"../shared/D7DV7PPY.js";function a(t){let n=t.querySelector("button"),s=t.querySelector("[role=status]"),e=t.querySelector("svg");n.addEventListener("click",()=>{let[o=0]=crypto.getRandomValues(new Uint8Array(1)),r=n.dataset[o&1?o&2?"yes":"no":"truth"];e.classList.remove("turn"),e.getBoundingClientRect(),e.classList.add("turn"),s.textContent="…",setTimeout(()=>s.textContent=r,matchMedia("(prefers-reduced-motion: reduce)").matches?0:700)}),t.hidden=!1}export{a as practise};
=======
import"../shared/S7EVXG67.js";function a(t){let n=t.querySelector("button"),s=t.querySelector("[role=status]"),e=t.querySelector("svg");n.addEventListener("click",()=>{let[o=0]=crypto.getRandomValues(new Uint8Array(1)),r=n.dataset[o&1?o&2?"yes":"no":"truth"];e.classList.remove("turn"),e.getBoundingClientRect(),e.classList.add("turn"),s.textContent="…",setTimeout(()=>s.textContent=r,matchMedia("(prefers-reduced-motion: reduce)").matches?0:700)}),t.hidden=!1}export{a as practise};
>>>>>>> 6bcf1c49 (web: renew the browser SDK's files (#12))
//# sourceMappingURL=practice.js.map
