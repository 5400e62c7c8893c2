import {
  decay
} from "../shared/5CLAWNGL.js";
import "../shared/R7BVVZCC.js";
import "../shared/QFIBO5I6.js";
import {
  checkKeys
} from "../shared/565UPYFV.js";
import "../shared/IW6C537W.js";

// src/mechanisms/discrete-laplace.ts
var fromSpec = (spec, answers) => {
  checkKeys(spec, "tails");
  return decay("discrete-laplace/1", answers, spec);
};
export {
  fromSpec
};
//# sourceMappingURL=discrete-laplace.js.map
