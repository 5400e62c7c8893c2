import {
  symmetricUnary
} from "./PCRSEMDV.js";
import {
  numbers
} from "./565UPYFV.js";

// src/mechanisms/symmetric-unary.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return symmetricUnary(answers, keep, lie);
};

export {
  fromSpec
};
//# sourceMappingURL=5ZIWIIH3.js.map
