import{a,b,c,d}from"./shared/B2EKHBS7.js";import"./shared/AF34NPWQ.js";export{b as checkAttributes,d as isDay,c as readKind,a as readMore};
//# sourceMappingURL=offers.js.map
