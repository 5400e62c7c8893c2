import {
  decay
} from "../shared/DUTOJSY7.js";
import "../shared/R7BVVZCC.js";
import "../shared/DMJWSDVN.js";
import {
  checkKeys
} from "../shared/T2TDNCNS.js";
import"../page/page.js";

// src/mechanisms/discrete-laplace.ts
var fromSpec = (spec, answers) => {
  checkKeys(spec, "tails");
  return decay("discrete-laplace/1", answers, spec);
};
export {
  fromSpec
};
