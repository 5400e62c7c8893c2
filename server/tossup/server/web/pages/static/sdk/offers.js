import{a,b,c}from"./shared/L3C4MJ65.js";import"./shared/3BJ2DEKB.js";export{c as isDay,b as readKind,a as readMore};
//# sourceMappingURL=offers.js.map
