import {
  symmetricUnary
} from "./5S6FVKE5.js";
import {
  numbers
} from "./WH7GYDMH.js";

// src/mechanisms/symmetric-unary.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return symmetricUnary(answers, keep, lie);
};

export {
  fromSpec
};
