import{D as t,b as e}from"./shared/D44IJOGY.js";export{t as Client,e as Refusal};
//# sourceMappingURL=index.js.map
