import {
  symmetricUnary
} from "./P44434JT.js";
import {
  numbers
} from "./DZ5T3PNP.js";

// src/mechanisms/symmetric-unary.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return symmetricUnary(answers, keep, lie);
};

export {
  fromSpec
};
//# sourceMappingURL=IP2JWIW3.js.map
