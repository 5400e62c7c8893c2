import{a,b,c,d}from"./shared/3WBDX65L.js";import"./shared/LKZCVFRB.js";export{b as checkAttributes,d as isDay,c as readKind,a as readMore};
//# sourceMappingURL=offers.js.map
