import{H as t,e}from"./shared/S7EVXG67.js";export{t as Client,e as Refusal};
//# sourceMappingURL=index.js.map
