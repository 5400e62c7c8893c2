import {
  kAry
} from "./RYZ64NUK.js";
import {
  numbers
} from "./VA7YJENC.js";

// src/mechanisms/k-ary-randomized-response.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return kAry(answers, keep, lie);
};

export {
  fromSpec
};
//# sourceMappingURL=IBQYU2DD.js.map
