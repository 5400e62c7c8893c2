import{M as t,a as e}from"./shared/GAXZGMM5.js";export{t as Client,e as Refusal};
//# sourceMappingURL=index.js.map
