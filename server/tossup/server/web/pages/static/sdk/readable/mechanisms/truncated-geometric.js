import {
  decay
} from "../shared/XODMNZ6R.js";
import "../shared/R7BVVZCC.js";
import "../shared/Y3HY5GT7.js";
import {
  check,
  checkKeys
} from "../shared/S7DI6VBZ.js";
import "../shared/BYIAO6SI.js";

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
