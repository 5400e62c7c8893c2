import {
  ends
} from "../shared/XLEUC2WM.js";
import "../shared/R7BVVZCC.js";
import "../shared/AS5LBUO2.js";
import {
  numbers
} from "../shared/DZ5T3PNP.js";
import "../shared/OABLWO2B.js";

// src/mechanisms/duchi.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return ends("duchi/1", answers, keep, lie);
};
export {
  fromSpec
};
//# sourceMappingURL=duchi.js.map
