import {
  decay
} from "../shared/7HFSTXIU.js";
import "../shared/R7BVVZCC.js";
import "../shared/BFKPGDIU.js";
import {
  checkKeys
} from "../shared/5JM6JLH5.js";
import"../page/page.js";

// src/mechanisms/discrete-laplace.ts
var fromSpec = (spec, answers) => {
  checkKeys(spec, "tails");
  return decay("discrete-laplace/1", answers, spec);
};
export {
  fromSpec
};
