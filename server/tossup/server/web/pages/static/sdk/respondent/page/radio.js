import{Ge as e}from"../page/page.js";var p=r=>()=>e(r,t=>t);export{p as field};
