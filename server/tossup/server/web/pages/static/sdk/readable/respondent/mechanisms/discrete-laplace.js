import {
  decay
} from "../shared/IWC4HLEI.js";
import "../shared/R7BVVZCC.js";
import "../shared/PK4ZXC54.js";
import {
  checkKeys
} from "../shared/6JNFSEP3.js";
import"../page/page.js";

// src/mechanisms/discrete-laplace.ts
var fromSpec = (spec, answers) => {
  checkKeys(spec, "tails");
  return decay("discrete-laplace/1", answers, spec);
};
export {
  fromSpec
};
