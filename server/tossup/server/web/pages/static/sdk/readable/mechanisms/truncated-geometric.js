import {
  decay
} from "../shared/RJ452PKK.js";
import "../shared/R7BVVZCC.js";
import "../shared/DDTKHQQX.js";
import {
  check,
  checkKeys
} from "../shared/NTWOXCFD.js";
import "../shared/LZUHYOH2.js";

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
