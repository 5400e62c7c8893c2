import{M as t,a as e}from"./shared/4NCQH34Z.js";export{t as Client,e as Refusal};
//# sourceMappingURL=index.js.map
