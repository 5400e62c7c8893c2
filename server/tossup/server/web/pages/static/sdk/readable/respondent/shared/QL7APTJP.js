import {
  symmetricUnary
} from "./Q6IJI2SH.js";
import {
  numbers
} from "./ZAAYOKEC.js";

// src/mechanisms/symmetric-unary.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return symmetricUnary(answers, keep, lie);
};

export {
  fromSpec
};
