import {
  decay
} from "../shared/IINEUG3B.js";
import "../shared/R7BVVZCC.js";
import "../shared/FKEAX5JS.js";
import {
  checkKeys
} from "../shared/VA7YJENC.js";
import "../shared/BJTFJTAA.js";

// src/mechanisms/discrete-laplace.ts
var fromSpec = (spec, answers) => {
  checkKeys(spec, "tails");
  return decay("discrete-laplace/1", answers, spec);
};
export {
  fromSpec
};
//# sourceMappingURL=discrete-laplace.js.map
