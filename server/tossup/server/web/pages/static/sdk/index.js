import{F as t,b as e}from"./shared/YJTCM4DB.js";export{t as Client,e as Refusal};
//# sourceMappingURL=index.js.map
