import{H as t,e}from"./shared/PXZP6B2L.js";export{t as Client,e as Refusal};
//# sourceMappingURL=index.js.map
