import {
  symmetricUnary
} from "./YJARJFWB.js";
import {
  numbers
} from "./P4RNLGJS.js";

// src/mechanisms/symmetric-unary.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return symmetricUnary(answers, keep, lie);
};

export {
  fromSpec
};
//# sourceMappingURL=WDHYDH3J.js.map
