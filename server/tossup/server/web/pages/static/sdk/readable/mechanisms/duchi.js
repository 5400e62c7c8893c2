import {
  ends
} from "../shared/6RAIQUFX.js";
import "../shared/R7BVVZCC.js";
import "../shared/S64YJJQY.js";
import {
  numbers
} from "../shared/P4RNLGJS.js";
import "../shared/WJSAXMDD.js";

// src/mechanisms/duchi.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return ends("duchi/1", answers, keep, lie);
};
export {
  fromSpec
};
//# sourceMappingURL=duchi.js.map
