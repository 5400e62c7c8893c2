import{a,b,c,d}from"./shared/3B4SHUTQ.js";import"./shared/IYOLXWPY.js";export{b as checkAttributes,d as isDay,c as readKind,a as readMore};
//# sourceMappingURL=offers.js.map
