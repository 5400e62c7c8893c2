import {
  ends
} from "../shared/QW6NFA2R.js";
import "../shared/TDJWXKJO.js";
import "../shared/NJOZZSXN.js";
import {
  numbers
} from "../shared/QF2AWJEN.js";
import "../shared/5BMRU7X6.js";

// src/mechanisms/duchi.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return ends("duchi/1", answers, keep, lie);
};
export {
  fromSpec
};
//# sourceMappingURL=duchi.js.map
