import {
  decay
} from "../shared/QU53MPKQ.js";
import "../shared/R7BVVZCC.js";
import "../shared/MK5W24Q4.js";
import {
  checkKeys
} from "../shared/BKIISGPW.js";
import"../page/page.js";

// src/mechanisms/discrete-laplace.ts
var fromSpec = (spec, answers) => {
  checkKeys(spec, "tails");
  return decay("discrete-laplace/1", answers, spec);
};
export {
  fromSpec
};
