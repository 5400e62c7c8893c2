import {
  decay
} from "../shared/NWEH3IHW.js";
import "../shared/R7BVVZCC.js";
import "../shared/RU4QECN3.js";
import {
  check,
  checkKeys
} from "../shared/XVP6OM4I.js";
import "../shared/556CFHNP.js";

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
