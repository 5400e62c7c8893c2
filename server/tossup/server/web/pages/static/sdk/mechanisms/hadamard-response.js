import{a}from"../shared/O7BPY562.js";import"../shared/ESG5SCET.js";import"../shared/IOJFHO3Z.js";import"../shared/MYM4OEUR.js";import"../shared/BW377ODP.js";import"../shared/GAXZGMM5.js";export{a as fromSpec};
//# sourceMappingURL=hadamard-response.js.map
