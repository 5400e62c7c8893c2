import {
  decay
} from "../shared/XODMNZ6R.js";
import "../shared/R7BVVZCC.js";
import "../shared/Y3HY5GT7.js";
import {
  checkKeys
} from "../shared/S7DI6VBZ.js";
import "../shared/BYIAO6SI.js";

// src/mechanisms/discrete-laplace.ts
var fromSpec = (spec, answers) => {
  checkKeys(spec, "tails");
  return decay("discrete-laplace/1", answers, spec);
};
export {
  fromSpec
};
//# sourceMappingURL=discrete-laplace.js.map
