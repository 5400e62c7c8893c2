import{a,b}from"../shared/XRDIMJN2.js";import"../page/page.js";export{a as field,b as read};
