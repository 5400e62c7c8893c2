import {
  decay
} from "../shared/IINEUG3B.js";
import "../shared/R7BVVZCC.js";
import "../shared/FKEAX5JS.js";
import {
  check,
  checkKeys
} from "../shared/VA7YJENC.js";
import "../shared/BJTFJTAA.js";

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
