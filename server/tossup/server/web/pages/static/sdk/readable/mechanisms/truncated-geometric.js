import {
  decay
} from "../shared/6RAIQUFX.js";
import "../shared/R7BVVZCC.js";
import "../shared/S64YJJQY.js";
import {
  check,
  checkKeys
} from "../shared/P4RNLGJS.js";
import "../shared/WJSAXMDD.js";

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
