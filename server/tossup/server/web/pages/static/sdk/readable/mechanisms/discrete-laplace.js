import {
  decay
} from "../shared/WXOYHKB5.js";
import "../shared/R7BVVZCC.js";
import "../shared/QVYMWNN2.js";
import {
  checkKeys
} from "../shared/BAAU4PZL.js";
import "../shared/DOIPVP3Z.js";

// src/mechanisms/discrete-laplace.ts
var fromSpec = (spec, answers) => {
  checkKeys(spec, "tails");
  return decay("discrete-laplace/1", answers, spec);
};
export {
  fromSpec
};
//# sourceMappingURL=discrete-laplace.js.map
