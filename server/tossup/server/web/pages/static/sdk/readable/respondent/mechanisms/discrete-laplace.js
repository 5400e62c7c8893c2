import {
  decay
} from "../shared/HJQAVPYX.js";
import "../shared/R7BVVZCC.js";
import "../shared/BTNPDKRO.js";
import {
  checkKeys
} from "../shared/W7JX4ZXR.js";
import"../page/page.js";

// src/mechanisms/discrete-laplace.ts
var fromSpec = (spec, answers) => {
  checkKeys(spec, "tails");
  return decay("discrete-laplace/1", answers, spec);
};
export {
  fromSpec
};
