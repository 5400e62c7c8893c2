import{a}from"../shared/2YEEKPHR.js";import"../shared/ESG5SCET.js";import"../shared/IOJFHO3Z.js";import"../shared/MYM4OEUR.js";import"../shared/BW377ODP.js";import"../shared/GAXZGMM5.js";export{a as fromSpec};
//# sourceMappingURL=symmetric-unary.js.map
