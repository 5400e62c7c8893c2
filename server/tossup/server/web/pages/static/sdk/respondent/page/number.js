import{a,b}from"../shared/MI77W2I5.js";import"../page/page.js";export{a as field,b as read};
