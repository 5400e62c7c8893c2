import {
  symmetricUnary
} from "./YWIR5EHU.js";
import {
  numbers
} from "./XDWR6KND.js";

// src/mechanisms/symmetric-unary.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return symmetricUnary(answers, keep, lie);
};

export {
  fromSpec
};
//# sourceMappingURL=6JOGQUNJ.js.map
