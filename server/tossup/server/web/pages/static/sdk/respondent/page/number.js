import{a,b}from"../shared/ONC6YS6V.js";import"../page/page.js";export{a as field,b as read};
