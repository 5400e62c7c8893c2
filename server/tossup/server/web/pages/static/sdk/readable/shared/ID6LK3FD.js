import {
  symmetricUnary
} from "./4KNLOJAT.js";
import {
  numbers
} from "./QAYYS2D5.js";

// src/mechanisms/symmetric-unary.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return symmetricUnary(answers, keep, lie);
};

export {
  fromSpec
};
//# sourceMappingURL=ID6LK3FD.js.map
