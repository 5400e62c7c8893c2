import{a,b,c}from"./shared/DMPIQBUN.js";import"./page/page.js";export{c as isDay,b as readKind,a as readMore};
