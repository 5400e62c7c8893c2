import {
  decay
} from "../shared/QU53MPKQ.js";
import "../shared/R7BVVZCC.js";
import "../shared/MK5W24Q4.js";
import {
  check,
  checkKeys
} from "../shared/BKIISGPW.js";
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
