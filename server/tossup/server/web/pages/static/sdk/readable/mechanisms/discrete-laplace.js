import {
  decay
} from "../shared/YORYHW57.js";
import "../shared/R7BVVZCC.js";
import "../shared/ZDUDLLJN.js";
import {
  checkKeys
} from "../shared/BL6JMQTK.js";
import "../shared/PRYFKI73.js";

// src/mechanisms/discrete-laplace.ts
var fromSpec = (spec, answers) => {
  checkKeys(spec, "tails");
  return decay("discrete-laplace/1", answers, spec);
};
export {
  fromSpec
};
//# sourceMappingURL=discrete-laplace.js.map
