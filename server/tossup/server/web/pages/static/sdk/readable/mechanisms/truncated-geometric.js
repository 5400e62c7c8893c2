import {
  decay
} from "../shared/NJSULFDC.js";
import "../shared/R7BVVZCC.js";
import "../shared/K4I2R3OR.js";
import {
  check,
  checkKeys
} from "../shared/QAYYS2D5.js";
import "../shared/26JJDGDP.js";

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
