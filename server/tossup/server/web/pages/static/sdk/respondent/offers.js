import{a,b,c,d}from"./shared/5HVPXI3I.js";import"./page/page.js";export{b as checkAttributes,d as isDay,c as readKind,a as readMore};
