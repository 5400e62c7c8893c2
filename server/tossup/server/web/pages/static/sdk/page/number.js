import{a,b}from"../shared/FTCALNIT.js";import"../shared/O6BIUYPE.js";import"../shared/D44IJOGY.js";export{a as field,b as read};
//# sourceMappingURL=number.js.map
