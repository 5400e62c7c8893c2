import {
  decay
} from "../shared/QW6NFA2R.js";
import "../shared/TDJWXKJO.js";
import "../shared/NJOZZSXN.js";
import {
  check,
  checkKeys
} from "../shared/QF2AWJEN.js";
import "../shared/5BMRU7X6.js";

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
//# sourceMappingURL=truncated-geometric.js.map
