import {
  decay
} from "../shared/KAZVE6WL.js";
import "../shared/TDJWXKJO.js";
import "../shared/KIUREEQN.js";
import {
  checkKeys
} from "../shared/UCKCAESS.js";
import"../page/page.js";

// src/mechanisms/discrete-laplace.ts
var fromSpec = (spec, answers) => {
  checkKeys(spec, "tails");
  return decay("discrete-laplace/1", answers, spec);
};
export {
  fromSpec
};
