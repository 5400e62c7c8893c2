import {
  decay
} from "../shared/RJ452PKK.js";
import "../shared/R7BVVZCC.js";
import "../shared/DDTKHQQX.js";
import {
  checkKeys
} from "../shared/NTWOXCFD.js";
import "../shared/LZUHYOH2.js";

// src/mechanisms/discrete-laplace.ts
var fromSpec = (spec, answers) => {
  checkKeys(spec, "tails");
  return decay("discrete-laplace/1", answers, spec);
};
export {
  fromSpec
};
//# sourceMappingURL=discrete-laplace.js.map
