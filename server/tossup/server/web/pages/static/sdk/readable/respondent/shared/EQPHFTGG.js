import {
  symmetricUnary
} from "./LKM5Q2WV.js";
import {
  numbers
} from "./6JNFSEP3.js";

// src/mechanisms/symmetric-unary.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return symmetricUnary(answers, keep, lie);
};

export {
  fromSpec
};
