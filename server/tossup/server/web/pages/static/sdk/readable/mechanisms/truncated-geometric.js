import {
  decay
} from "../shared/NGDF7V3O.js";
import "../shared/R7BVVZCC.js";
import "../shared/STOSR4J5.js";
import {
  check,
  checkKeys
} from "../shared/C65GXGM4.js";
import "../shared/3SBK66FU.js";

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
