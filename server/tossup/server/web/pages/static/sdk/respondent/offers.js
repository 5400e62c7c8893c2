import{a,b,c,d}from"./shared/7YZQQNT5.js";import"./page/page.js";export{b as checkAttributes,d as isDay,c as readKind,a as readMore};
