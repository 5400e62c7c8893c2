import {
  decay
} from "../shared/7TJYDU4S.js";
import "../shared/R7BVVZCC.js";
import "../shared/6GORJ3O2.js";
import {
  check,
  checkKeys
} from "../shared/EP62XFI6.js";
import "../shared/MBQPUHFF.js";

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
