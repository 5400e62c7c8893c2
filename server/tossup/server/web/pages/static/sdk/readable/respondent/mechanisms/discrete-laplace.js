import {
  decay
} from "../shared/NQBETXU7.js";
import "../shared/R7BVVZCC.js";
import "../shared/45LBOM6A.js";
import {
  checkKeys
} from "../shared/HRRUQ74D.js";
import"../page/page.js";

// src/mechanisms/discrete-laplace.ts
var fromSpec = (spec, answers) => {
  checkKeys(spec, "tails");
  return decay("discrete-laplace/1", answers, spec);
};
export {
  fromSpec
};
