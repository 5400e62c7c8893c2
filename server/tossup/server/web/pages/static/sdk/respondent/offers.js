import{a,b,c}from"./shared/2U33TUFD.js";import"./page/page.js";export{c as isDay,b as readKind,a as readMore};
