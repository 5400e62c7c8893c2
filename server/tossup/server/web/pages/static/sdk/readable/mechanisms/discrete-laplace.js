import {
  decay
} from "../shared/NWEH3IHW.js";
import "../shared/R7BVVZCC.js";
import "../shared/RU4QECN3.js";
import {
  checkKeys
} from "../shared/XVP6OM4I.js";
import "../shared/556CFHNP.js";

// src/mechanisms/discrete-laplace.ts
var fromSpec = (spec, answers) => {
  checkKeys(spec, "tails");
  return decay("discrete-laplace/1", answers, spec);
};
export {
  fromSpec
};
//# sourceMappingURL=discrete-laplace.js.map
