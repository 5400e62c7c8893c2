import{a,b}from"../shared/G44XZFL5.js";import"../page/page.js";export{a as field,b as read};
