<<<<<<< HEAD
import{a,b}from"../shared/PQEAJJAR.js";import"../shared/VWMUSK2H.js";import"../shared/D7DV7PPY.js";export{a as field,b as read};
=======
import{a,b}from"../shared/Y664CM5X.js";import"../shared/NGAF6G3Z.js";import"../shared/S7EVXG67.js";export{a as field,b as read};
>>>>>>> 6bcf1c49 (web: renew the browser SDK's files (#12))
//# sourceMappingURL=number.js.map
