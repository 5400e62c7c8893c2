import{a,b}from"../shared/WNHML3TX.js";import"../page/page.js";export{a as field,b as read};
