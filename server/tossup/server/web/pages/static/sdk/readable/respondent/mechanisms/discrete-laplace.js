import {
  decay
} from "../shared/SSNJZILM.js";
import "../shared/R7BVVZCC.js";
import "../shared/MFAXIUDU.js";
import {
  checkKeys
} from "../shared/5LWLKKI5.js";
import"../page/page.js";

// src/mechanisms/discrete-laplace.ts
var fromSpec = (spec, answers) => {
  checkKeys(spec, "tails");
  return decay("discrete-laplace/1", answers, spec);
};
export {
  fromSpec
};
