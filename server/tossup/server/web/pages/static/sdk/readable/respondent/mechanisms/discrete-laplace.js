import {
  decay
} from "../shared/PM4T7FER.js";
import "../shared/R7BVVZCC.js";
import "../shared/467D3HYW.js";
import {
  checkKeys
} from "../shared/JLZ5BSSY.js";
import"../page/page.js";

// src/mechanisms/discrete-laplace.ts
var fromSpec = (spec, answers) => {
  checkKeys(spec, "tails");
  return decay("discrete-laplace/1", answers, spec);
};
export {
  fromSpec
};
