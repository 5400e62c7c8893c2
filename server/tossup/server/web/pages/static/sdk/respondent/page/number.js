import{a,b}from"../shared/ROIXVIEG.js";import"../page/page.js";export{a as field,b as read};
