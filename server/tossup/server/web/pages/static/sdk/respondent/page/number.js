import{a,b}from"../shared/IFPJBA3U.js";import"../page/page.js";export{a as field,b as read};
