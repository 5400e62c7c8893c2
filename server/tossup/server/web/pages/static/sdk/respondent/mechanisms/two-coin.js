import{ke as a}from"../page/page.js";export{a as fromSpec};
