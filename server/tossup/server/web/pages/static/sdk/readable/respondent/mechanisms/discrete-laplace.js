import {
  decay
} from "../shared/QGJX3Q2C.js";
import "../shared/R7BVVZCC.js";
import "../shared/PWSZPN5G.js";
import {
  checkKeys
} from "../shared/ZAAYOKEC.js";
import"../page/page.js";

// src/mechanisms/discrete-laplace.ts
var fromSpec = (spec, answers) => {
  checkKeys(spec, "tails");
  return decay("discrete-laplace/1", answers, spec);
};
export {
  fromSpec
};
