import{K as t,a as e}from"./shared/3BJ2DEKB.js";export{t as Client,e as Refusal};
//# sourceMappingURL=index.js.map
