import {
  symmetricUnary
} from "./QKIV7XYQ.js";
import {
  numbers
} from "./UCKCAESS.js";

// src/mechanisms/symmetric-unary.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return symmetricUnary(answers, keep, lie);
};

export {
  fromSpec
};
