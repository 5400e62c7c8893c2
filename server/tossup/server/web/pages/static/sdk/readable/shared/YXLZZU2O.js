import {
  kAry
} from "./4KNLOJAT.js";
import {
  numbers
} from "./QAYYS2D5.js";

// src/mechanisms/k-ary-randomized-response.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return kAry(answers, keep, lie);
};

export {
  fromSpec
};
//# sourceMappingURL=YXLZZU2O.js.map
