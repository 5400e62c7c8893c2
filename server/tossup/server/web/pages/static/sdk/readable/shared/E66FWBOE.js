import {
  kAry
} from "./YWIR5EHU.js";
import {
  numbers
} from "./XDWR6KND.js";

// src/mechanisms/k-ary-randomized-response.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return kAry(answers, keep, lie);
};

export {
  fromSpec
};
//# sourceMappingURL=E66FWBOE.js.map
