import{a,b}from"../shared/PUKFYJDA.js";import"../page/page.js";export{a as field,b as read};
