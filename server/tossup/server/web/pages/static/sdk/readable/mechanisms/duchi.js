import {
  ends
} from "../shared/CESNX27B.js";
import "../shared/R7BVVZCC.js";
import "../shared/WSYQ6NKG.js";
import {
  numbers
} from "../shared/XDWR6KND.js";
import "../shared/6O6AZUJI.js";

// src/mechanisms/duchi.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return ends("duchi/1", answers, keep, lie);
};
export {
  fromSpec
};
//# sourceMappingURL=duchi.js.map
