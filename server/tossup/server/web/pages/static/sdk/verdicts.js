import{a,b,c}from"./shared/3N6DEMUV.js";import"./shared/YJTCM4DB.js";export{a as codeOf,c as requeue,b as settle};
//# sourceMappingURL=verdicts.js.map
