import {
  decay
} from "../shared/K6ZQIXLY.js";
import "../shared/R7BVVZCC.js";
import "../shared/WI7C5L7H.js";
import {
  check,
  checkKeys
} from "../shared/3SNUPGXL.js";
import "../shared/7KQQEI2G.js";

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
