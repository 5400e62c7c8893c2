import{a,b}from"../shared/UKPC3EK6.js";import"../page/page.js";export{a as field,b as read};
