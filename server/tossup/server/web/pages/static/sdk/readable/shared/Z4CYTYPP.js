import {
  kAry
} from "./PUIME476.js";
import {
  numbers
} from "./S7DI6VBZ.js";

// src/mechanisms/k-ary-randomized-response.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return kAry(answers, keep, lie);
};

export {
  fromSpec
};
//# sourceMappingURL=Z4CYTYPP.js.map
