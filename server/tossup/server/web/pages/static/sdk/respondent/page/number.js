import{a,b}from"../shared/H3YIYBNM.js";import"../page/page.js";export{a as field,b as read};
