import {
  decay
} from "../shared/62K6O4P5.js";
import "../shared/R7BVVZCC.js";
import "../shared/ARFBNBRX.js";
import {
  checkKeys
} from "../shared/NOKLIKL7.js";
import"../page/page.js";

// src/mechanisms/discrete-laplace.ts
var fromSpec = (spec, answers) => {
  checkKeys(spec, "tails");
  return decay("discrete-laplace/1", answers, spec);
};
export {
  fromSpec
};
