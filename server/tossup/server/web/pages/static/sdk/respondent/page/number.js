import{a,b}from"../shared/FXKZPI2P.js";import"../page/page.js";export{a as field,b as read};
