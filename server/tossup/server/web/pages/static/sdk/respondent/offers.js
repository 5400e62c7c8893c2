import{a,b,c,d}from"./shared/Y2F5T2IW.js";import"./page/page.js";export{b as checkAttributes,d as isDay,c as readKind,a as readMore};
