import{D as t,b as e}from"./shared/D7DV7PPY.js";export{t as Client,e as Refusal};
//# sourceMappingURL=index.js.map
