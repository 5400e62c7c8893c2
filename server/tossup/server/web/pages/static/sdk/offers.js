import{a,b,c}from"./shared/27KEV77G.js";import"./shared/GI3Y36QC.js";export{c as isDay,b as readKind,a as readMore};
//# sourceMappingURL=offers.js.map
