import {
  decay
} from "../shared/XLEUC2WM.js";
import "../shared/R7BVVZCC.js";
import "../shared/AS5LBUO2.js";
import {
  check,
  checkKeys
} from "../shared/DZ5T3PNP.js";
import "../shared/OABLWO2B.js";

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
