import {
  decay
} from "../shared/NYOLYFYJ.js";
import "../shared/R7BVVZCC.js";
import "../shared/M7EBL5TS.js";
import {
  checkKeys
} from "../shared/C3ZFIKGH.js";
import"../page/page.js";

// src/mechanisms/discrete-laplace.ts
var fromSpec = (spec, answers) => {
  checkKeys(spec, "tails");
  return decay("discrete-laplace/1", answers, spec);
};
export {
  fromSpec
};
