import {
  symmetricUnary
} from "./3TZ6CVOM.js";
import {
  numbers
} from "./BAAU4PZL.js";

// src/mechanisms/symmetric-unary.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return symmetricUnary(answers, keep, lie);
};

export {
  fromSpec
};
//# sourceMappingURL=QTO6LNPH.js.map
