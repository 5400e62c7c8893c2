import {
  ends
} from "../shared/7TJYDU4S.js";
import "../shared/R7BVVZCC.js";
import "../shared/6GORJ3O2.js";
import {
  numbers
} from "../shared/EP62XFI6.js";
import "../shared/MBQPUHFF.js";

// src/mechanisms/duchi.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return ends("duchi/1", answers, keep, lie);
};
export {
  fromSpec
};
//# sourceMappingURL=duchi.js.map
