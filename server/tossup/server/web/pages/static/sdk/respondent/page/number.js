import{a,b}from"../shared/HPNDWTVE.js";import"../page/page.js";export{a as field,b as read};
