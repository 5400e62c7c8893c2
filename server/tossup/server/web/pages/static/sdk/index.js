import{K as t,a as e}from"./shared/GI3Y36QC.js";export{t as Client,e as Refusal};
//# sourceMappingURL=index.js.map
