import {
  symmetricUnary
} from "./O7KE2225.js";
import {
  numbers
} from "./5JM6JLH5.js";

// src/mechanisms/symmetric-unary.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return symmetricUnary(answers, keep, lie);
};

export {
  fromSpec
};
