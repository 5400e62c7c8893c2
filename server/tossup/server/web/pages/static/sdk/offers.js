import{a,b,c,d}from"./shared/3GOMTBIP.js";import"./shared/3DIXK3NW.js";export{b as checkAttributes,d as isDay,c as readKind,a as readMore};
//# sourceMappingURL=offers.js.map
