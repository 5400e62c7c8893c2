import{a,b,c,d}from"./shared/RECNQWEJ.js";import"./shared/HHCCAAOS.js";export{b as checkAttributes,d as isDay,c as readKind,a as readMore};
//# sourceMappingURL=offers.js.map
