import {
  decay
} from "../shared/6RAIQUFX.js";
import "../shared/R7BVVZCC.js";
import "../shared/S64YJJQY.js";
import {
  checkKeys
} from "../shared/P4RNLGJS.js";
import "../shared/WJSAXMDD.js";

// src/mechanisms/discrete-laplace.ts
var fromSpec = (spec, answers) => {
  checkKeys(spec, "tails");
  return decay("discrete-laplace/1", answers, spec);
};
export {
  fromSpec
};
//# sourceMappingURL=discrete-laplace.js.map
