import{a,b,c,d}from"./shared/JK3SY45A.js";import"./shared/4NCQH34Z.js";export{b as checkAttributes,d as isDay,c as readKind,a as readMore};
//# sourceMappingURL=offers.js.map
