import {
  decay
} from "../shared/QW6NFA2R.js";
import "../shared/TDJWXKJO.js";
import "../shared/NJOZZSXN.js";
import {
  checkKeys
} from "../shared/QF2AWJEN.js";
import "../shared/5BMRU7X6.js";

// src/mechanisms/discrete-laplace.ts
var fromSpec = (spec, answers) => {
  checkKeys(spec, "tails");
  return decay("discrete-laplace/1", answers, spec);
};
export {
  fromSpec
};
//# sourceMappingURL=discrete-laplace.js.map
