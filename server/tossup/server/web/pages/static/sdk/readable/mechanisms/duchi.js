import {
  ends
} from "../shared/WXOYHKB5.js";
import "../shared/R7BVVZCC.js";
import "../shared/QVYMWNN2.js";
import {
  numbers
} from "../shared/BAAU4PZL.js";
import "../shared/DOIPVP3Z.js";

// src/mechanisms/duchi.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return ends("duchi/1", answers, keep, lie);
};
export {
  fromSpec
};
//# sourceMappingURL=duchi.js.map
