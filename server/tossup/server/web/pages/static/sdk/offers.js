import{a,b,c,d}from"./shared/TFSAYJNZ.js";import"./shared/HNURKHTX.js";export{b as checkAttributes,d as isDay,c as readKind,a as readMore};
//# sourceMappingURL=offers.js.map
