import {
  symmetricUnary
} from "./BCA6E7JP.js";
import {
  numbers
} from "./NOKLIKL7.js";

// src/mechanisms/symmetric-unary.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return symmetricUnary(answers, keep, lie);
};

export {
  fromSpec
};
