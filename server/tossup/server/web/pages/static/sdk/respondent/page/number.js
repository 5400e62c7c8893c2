import{a,b}from"../shared/CNLCW5JP.js";import"../page/page.js";export{a as field,b as read};
