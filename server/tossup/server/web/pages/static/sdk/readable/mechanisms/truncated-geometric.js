import {
  decay
} from "../shared/WXOYHKB5.js";
import "../shared/R7BVVZCC.js";
import "../shared/QVYMWNN2.js";
import {
  check,
  checkKeys
} from "../shared/BAAU4PZL.js";
import "../shared/DOIPVP3Z.js";

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
