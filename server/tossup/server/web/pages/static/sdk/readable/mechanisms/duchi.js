import {
  ends
} from "../shared/XODMNZ6R.js";
import "../shared/R7BVVZCC.js";
import "../shared/Y3HY5GT7.js";
import {
  numbers
} from "../shared/S7DI6VBZ.js";
import "../shared/BYIAO6SI.js";

// src/mechanisms/duchi.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return ends("duchi/1", answers, keep, lie);
};
export {
  fromSpec
};
//# sourceMappingURL=duchi.js.map
