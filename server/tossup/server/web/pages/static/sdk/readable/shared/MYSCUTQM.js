import {
  symmetricUnary
} from "./UXETR2PM.js";
import {
  numbers
} from "./QF2AWJEN.js";

// src/mechanisms/symmetric-unary.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return symmetricUnary(answers, keep, lie);
};

export {
  fromSpec
};
//# sourceMappingURL=MYSCUTQM.js.map
