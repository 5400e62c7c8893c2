import{xe as a}from"../page/page.js";export{a as fromSpec};
