import {
  symmetricUnary
} from "./BJ2AZBSH.js";
import {
  numbers
} from "./3JW6NCQS.js";

// src/mechanisms/symmetric-unary.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return symmetricUnary(answers, keep, lie);
};

export {
  fromSpec
};
