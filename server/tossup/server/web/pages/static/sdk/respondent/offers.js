import{a,b,c,d}from"./shared/3IBM5V34.js";import"../page/page.js";export{b as checkAttributes,d as isDay,c as readKind,a as readMore};
