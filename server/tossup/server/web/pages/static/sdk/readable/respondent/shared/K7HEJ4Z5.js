import {
  symmetricUnary
} from "./QCWHOFSE.js";
import {
  numbers
} from "./W7JX4ZXR.js";

// src/mechanisms/symmetric-unary.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return symmetricUnary(answers, keep, lie);
};

export {
  fromSpec
};
