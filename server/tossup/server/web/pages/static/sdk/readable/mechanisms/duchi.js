import {
  ends
} from "../shared/YORYHW57.js";
import "../shared/R7BVVZCC.js";
import "../shared/ZDUDLLJN.js";
import {
  numbers
} from "../shared/BL6JMQTK.js";
import "../shared/PRYFKI73.js";

// src/mechanisms/duchi.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return ends("duchi/1", answers, keep, lie);
};
export {
  fromSpec
};
//# sourceMappingURL=duchi.js.map
