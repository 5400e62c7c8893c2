import{a,b}from"../shared/C5T2M6Q6.js";import"../page/page.js";export{a as field,b as read};
