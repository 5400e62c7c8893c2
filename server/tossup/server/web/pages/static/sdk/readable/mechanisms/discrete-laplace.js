import {
  decay
} from "../shared/NGDF7V3O.js";
import "../shared/R7BVVZCC.js";
import "../shared/STOSR4J5.js";
import {
  checkKeys
} from "../shared/C65GXGM4.js";
import "../shared/3SBK66FU.js";

// src/mechanisms/discrete-laplace.ts
var fromSpec = (spec, answers) => {
  checkKeys(spec, "tails");
  return decay("discrete-laplace/1", answers, spec);
};
export {
  fromSpec
};
//# sourceMappingURL=discrete-laplace.js.map
