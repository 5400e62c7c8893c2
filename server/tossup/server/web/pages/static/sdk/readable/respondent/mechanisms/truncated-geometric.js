import {
  decay
} from "../shared/62K6O4P5.js";
import "../shared/R7BVVZCC.js";
import "../shared/ARFBNBRX.js";
import {
  check,
  checkKeys
} from "../shared/NOKLIKL7.js";
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
