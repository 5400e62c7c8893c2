import{a,b,c}from"./shared/E5TD3WTM.js";import"./shared/OHHG2EIQ.js";export{a as codeOf,c as requeue,b as settle};
//# sourceMappingURL=verdicts.js.map
