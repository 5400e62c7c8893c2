import {
  ends
} from "../shared/5CLAWNGL.js";
import "../shared/R7BVVZCC.js";
import "../shared/QFIBO5I6.js";
import {
  numbers
} from "../shared/565UPYFV.js";
import "../shared/IW6C537W.js";

// src/mechanisms/duchi.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return ends("duchi/1", answers, keep, lie);
};
export {
  fromSpec
};
//# sourceMappingURL=duchi.js.map
