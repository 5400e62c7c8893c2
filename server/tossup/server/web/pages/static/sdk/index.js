import{M as t,a as e}from"./shared/LLVC3P57.js";export{t as Client,e as Refusal};
//# sourceMappingURL=index.js.map
