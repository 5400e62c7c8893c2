import{L as t,a as e}from"./shared/HNURKHTX.js";export{t as Client,e as Refusal};
//# sourceMappingURL=index.js.map
