import{a,b,c}from"./shared/H2CXWLJ5.js";import"./shared/H4XG3VBS.js";export{a as codeOf,c as requeue,b as settle};
//# sourceMappingURL=verdicts.js.map
