<<<<<<< HEAD
import{a,b as c}from"../shared/VWMUSK2H.js";import"../shared/D7DV7PPY.js";function m(o){let r=c(o,"input"),s=Number(o.dataset.most);return o.addEventListener("change",({target:n})=>{let t=n;if(t.checked)for(let e of r)e!==t&&!(e.value&&t.value)&&(e.checked=!1)}),()=>{let n=r.filter(e=>e.checked),t=n.map(e=>e.value).filter(Boolean);return n.length?t.length>s?{wrong:"most"}:{answer:t}:a}}export{m as field};
=======
import{a,b as c}from"../shared/NGAF6G3Z.js";import"../shared/S7EVXG67.js";function m(o){let r=c(o,"input"),s=Number(o.dataset.most);return o.addEventListener("change",({target:n})=>{let t=n;if(t.checked)for(let e of r)e!==t&&!(e.value&&t.value)&&(e.checked=!1)}),()=>{let n=r.filter(e=>e.checked),t=n.map(e=>e.value).filter(Boolean);return n.length?t.length>s?{wrong:"most"}:{answer:t}:a}}export{m as field};
>>>>>>> 6bcf1c49 (web: renew the browser SDK's files (#12))
//# sourceMappingURL=ticks.js.map
