import{a,b,c,d}from"./shared/Q7QH7QCI.js";import"./shared/LLVC3P57.js";export{b as checkAttributes,d as isDay,c as readKind,a as readMore};
//# sourceMappingURL=offers.js.map
