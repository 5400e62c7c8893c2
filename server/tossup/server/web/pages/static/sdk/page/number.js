import{a,b}from"../shared/PFDDWWVB.js";import"../shared/PLQ2LSJE.js";import"../shared/7NOMCBGN.js";export{a as field,b as read};
//# sourceMappingURL=number.js.map
