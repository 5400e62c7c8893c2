import {
  symmetricUnary
} from "./2IPZ7WQP.js";
import {
  numbers
} from "./T2TDNCNS.js";

// src/mechanisms/symmetric-unary.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return symmetricUnary(answers, keep, lie);
};

export {
  fromSpec
};
