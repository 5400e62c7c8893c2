import {
  decay
} from "../shared/7TJYDU4S.js";
import "../shared/R7BVVZCC.js";
import "../shared/6GORJ3O2.js";
import {
  checkKeys
} from "../shared/EP62XFI6.js";
import "../shared/MBQPUHFF.js";

// src/mechanisms/discrete-laplace.ts
var fromSpec = (spec, answers) => {
  checkKeys(spec, "tails");
  return decay("discrete-laplace/1", answers, spec);
};
export {
  fromSpec
};
//# sourceMappingURL=discrete-laplace.js.map
