import{a,b}from"../shared/PQEAJJAR.js";import"../shared/VWMUSK2H.js";import"../shared/D7DV7PPY.js";export{a as field,b as read};
//# sourceMappingURL=number.js.map
