import {
  decay
} from "../shared/5CLAWNGL.js";
import "../shared/R7BVVZCC.js";
import "../shared/QFIBO5I6.js";
import {
  check,
  checkKeys
} from "../shared/565UPYFV.js";
import "../shared/IW6C537W.js";

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
