import{H as t,e}from"./shared/7NOMCBGN.js";export{t as Client,e as Refusal};
//# sourceMappingURL=index.js.map
