import{D as t,b as e}from"./shared/PXEOELOW.js";export{t as Client,e as Refusal};
//# sourceMappingURL=index.js.map
