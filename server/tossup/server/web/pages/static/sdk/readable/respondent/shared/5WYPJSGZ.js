import {
  symmetricUnary
} from "./2U3ZSSGR.js";
import {
  numbers
} from "./BKIISGPW.js";

// src/mechanisms/symmetric-unary.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return symmetricUnary(answers, keep, lie);
};

export {
  fromSpec
};
