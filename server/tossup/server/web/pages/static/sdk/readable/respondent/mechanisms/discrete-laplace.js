import {
  decay
} from "../shared/SHKNB676.js";
import "../shared/TDJWXKJO.js";
import "../shared/YJHIPBOC.js";
import {
  checkKeys
} from "../shared/3YUBTFZ7.js";
import"../page/page.js";

// src/mechanisms/discrete-laplace.ts
var fromSpec = (spec, answers) => {
  checkKeys(spec, "tails");
  return decay("discrete-laplace/1", answers, spec);
};
export {
  fromSpec
};
