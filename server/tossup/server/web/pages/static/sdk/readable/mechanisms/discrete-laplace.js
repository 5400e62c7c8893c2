import {
  decay
} from "../shared/CESNX27B.js";
import "../shared/R7BVVZCC.js";
import "../shared/WSYQ6NKG.js";
import {
  checkKeys
} from "../shared/XDWR6KND.js";
import "../shared/6O6AZUJI.js";

// src/mechanisms/discrete-laplace.ts
var fromSpec = (spec, answers) => {
  checkKeys(spec, "tails");
  return decay("discrete-laplace/1", answers, spec);
};
export {
  fromSpec
};
//# sourceMappingURL=discrete-laplace.js.map
