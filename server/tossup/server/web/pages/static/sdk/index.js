import{M as t,a as e}from"./shared/3DIXK3NW.js";export{t as Client,e as Refusal};
//# sourceMappingURL=index.js.map
