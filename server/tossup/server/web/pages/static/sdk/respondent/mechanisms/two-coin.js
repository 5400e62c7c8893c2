import{ve as a}from"../page/page.js";export{a as fromSpec};
