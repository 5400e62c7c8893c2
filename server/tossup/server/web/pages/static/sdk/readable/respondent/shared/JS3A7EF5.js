import {
  symmetricUnary
} from "./MJHQ5B3X.js";
import {
  numbers
} from "./JLZ5BSSY.js";

// src/mechanisms/symmetric-unary.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return symmetricUnary(answers, keep, lie);
};

export {
  fromSpec
};
