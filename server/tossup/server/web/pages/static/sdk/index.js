import{F as t,b as e}from"./shared/H4XG3VBS.js";export{t as Client,e as Refusal};
//# sourceMappingURL=index.js.map
