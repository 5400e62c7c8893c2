import {
  ends
} from "../shared/NWEH3IHW.js";
import "../shared/R7BVVZCC.js";
import "../shared/RU4QECN3.js";
import {
  numbers
} from "../shared/XVP6OM4I.js";
import "../shared/556CFHNP.js";

// src/mechanisms/duchi.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return ends("duchi/1", answers, keep, lie);
};
export {
  fromSpec
};
//# sourceMappingURL=duchi.js.map
