import{F as t,b as e}from"./shared/OHHG2EIQ.js";export{t as Client,e as Refusal};
//# sourceMappingURL=index.js.map
