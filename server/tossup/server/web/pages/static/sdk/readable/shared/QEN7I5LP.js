import {
  kAry
} from "./UXETR2PM.js";
import {
  numbers
} from "./QF2AWJEN.js";

// src/mechanisms/k-ary-randomized-response.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return kAry(answers, keep, lie);
};

export {
  fromSpec
};
//# sourceMappingURL=QEN7I5LP.js.map
