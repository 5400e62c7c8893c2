import {
  symmetricUnary
} from "./PUIME476.js";
import {
  numbers
} from "./S7DI6VBZ.js";

// src/mechanisms/symmetric-unary.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return symmetricUnary(answers, keep, lie);
};

export {
  fromSpec
};
//# sourceMappingURL=536RCOPA.js.map
