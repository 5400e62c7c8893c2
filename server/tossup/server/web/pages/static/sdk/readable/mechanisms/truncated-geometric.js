import {
  decay
} from "../shared/CESNX27B.js";
import "../shared/R7BVVZCC.js";
import "../shared/WSYQ6NKG.js";
import {
  check,
  checkKeys
} from "../shared/XDWR6KND.js";
import "../shared/6O6AZUJI.js";

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
