import {
  decay
} from "../shared/OPIH232V.js";
import "../shared/R7BVVZCC.js";
import "../shared/Z3QNIUSL.js";
import {
  checkKeys
} from "../shared/3JW6NCQS.js";
import"../page/page.js";

// src/mechanisms/discrete-laplace.ts
var fromSpec = (spec, answers) => {
  checkKeys(spec, "tails");
  return decay("discrete-laplace/1", answers, spec);
};
export {
  fromSpec
};
