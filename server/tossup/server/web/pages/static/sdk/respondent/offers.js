import{a,b,c,d}from"./shared/P5NSV6MK.js";import"./page/page.js";export{b as checkAttributes,d as isDay,c as readKind,a as readMore};
