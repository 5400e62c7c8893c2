import {
  ends
} from "../shared/K6ZQIXLY.js";
import "../shared/R7BVVZCC.js";
import "../shared/WI7C5L7H.js";
import {
  numbers
} from "../shared/3SNUPGXL.js";
import "../shared/7KQQEI2G.js";

// src/mechanisms/duchi.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return ends("duchi/1", answers, keep, lie);
};
export {
  fromSpec
};
//# sourceMappingURL=duchi.js.map
