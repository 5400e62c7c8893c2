import {
  decay
} from "../shared/OWEJWQX6.js";
import "../shared/R7BVVZCC.js";
import "../shared/J7BYR3UE.js";
import {
  checkKeys
} from "../shared/WH7GYDMH.js";
import"../page/page.js";

// src/mechanisms/discrete-laplace.ts
var fromSpec = (spec, answers) => {
  checkKeys(spec, "tails");
  return decay("discrete-laplace/1", answers, spec);
};
export {
  fromSpec
};
