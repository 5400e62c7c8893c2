import{a}from"../shared/Q45ZKJVB.js";import"../shared/ESG5SCET.js";import"../shared/IOJFHO3Z.js";import"../shared/MYM4OEUR.js";import"../shared/BW377ODP.js";import"../shared/GAXZGMM5.js";export{a as fromSpec};
//# sourceMappingURL=projective-geometry-response.js.map
