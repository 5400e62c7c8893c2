import{a,b,c,d}from"./shared/BF7HAYG3.js";import"./shared/GAXZGMM5.js";export{b as checkAttributes,d as isDay,c as readKind,a as readMore};
//# sourceMappingURL=offers.js.map
