import {
  decay
} from "../shared/YORYHW57.js";
import "../shared/R7BVVZCC.js";
import "../shared/ZDUDLLJN.js";
import {
  check,
  checkKeys
} from "../shared/BL6JMQTK.js";
import "../shared/PRYFKI73.js";

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
