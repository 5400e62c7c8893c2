import {
  decay
} from "../shared/NJSULFDC.js";
import "../shared/R7BVVZCC.js";
import "../shared/K4I2R3OR.js";
import {
  checkKeys
} from "../shared/QAYYS2D5.js";
import "../shared/26JJDGDP.js";

// src/mechanisms/discrete-laplace.ts
var fromSpec = (spec, answers) => {
  checkKeys(spec, "tails");
  return decay("discrete-laplace/1", answers, spec);
};
export {
  fromSpec
};
//# sourceMappingURL=discrete-laplace.js.map
