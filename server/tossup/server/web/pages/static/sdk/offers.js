import{a,b,c,d}from"./shared/KDH2RCHP.js";import"./shared/UQQUMMZV.js";export{b as checkAttributes,d as isDay,c as readKind,a as readMore};
//# sourceMappingURL=offers.js.map
