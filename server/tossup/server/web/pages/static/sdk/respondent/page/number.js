import{a,b}from"../shared/2ZBT3O4K.js";import"../page/page.js";export{a as field,b as read};
