import {
  decay
} from "../shared/XLEUC2WM.js";
import "../shared/R7BVVZCC.js";
import "../shared/AS5LBUO2.js";
import {
  checkKeys
} from "../shared/DZ5T3PNP.js";
import "../shared/OABLWO2B.js";

// src/mechanisms/discrete-laplace.ts
var fromSpec = (spec, answers) => {
  checkKeys(spec, "tails");
  return decay("discrete-laplace/1", answers, spec);
};
export {
  fromSpec
};
//# sourceMappingURL=discrete-laplace.js.map
