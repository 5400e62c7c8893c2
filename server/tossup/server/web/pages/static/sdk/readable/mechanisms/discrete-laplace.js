import {
  decay
} from "../shared/K6ZQIXLY.js";
import "../shared/R7BVVZCC.js";
import "../shared/WI7C5L7H.js";
import {
  checkKeys
} from "../shared/3SNUPGXL.js";
import "../shared/7KQQEI2G.js";

// src/mechanisms/discrete-laplace.ts
var fromSpec = (spec, answers) => {
  checkKeys(spec, "tails");
  return decay("discrete-laplace/1", answers, spec);
};
export {
  fromSpec
};
//# sourceMappingURL=discrete-laplace.js.map
