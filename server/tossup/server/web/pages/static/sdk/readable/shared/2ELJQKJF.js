import {
  symmetricUnary
} from "./6VHJIDQC.js";
import {
  numbers
} from "./NTWOXCFD.js";

// src/mechanisms/symmetric-unary.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return symmetricUnary(answers, keep, lie);
};

export {
  fromSpec
};
//# sourceMappingURL=2ELJQKJF.js.map
