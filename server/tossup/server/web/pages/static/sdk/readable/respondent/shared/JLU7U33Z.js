import {
  symmetricUnary
} from "./F62LVBJI.js";
import {
  numbers
} from "./HRRUQ74D.js";

// src/mechanisms/symmetric-unary.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return symmetricUnary(answers, keep, lie);
};

export {
  fromSpec
};
