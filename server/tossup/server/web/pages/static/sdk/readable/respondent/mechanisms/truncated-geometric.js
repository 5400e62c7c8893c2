import {
  decay
} from "../shared/NQBETXU7.js";
import "../shared/R7BVVZCC.js";
import "../shared/45LBOM6A.js";
import {
  check,
  checkKeys
} from "../shared/HRRUQ74D.js";
import"../page/page.js";

// src/mechanisms/truncated-geometric.ts
var fromSpec = (spec, answers) => {
  checkKeys(spec, "tails");
  const made = decay("truncated-geometric/1", answers, spec);
  check(!made.margin, "a tail for every point");
  return made;
};
export {
  fromSpec
};
