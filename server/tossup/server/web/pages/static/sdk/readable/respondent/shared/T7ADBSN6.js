import {
  symmetricUnary
} from "./JXF4OJH6.js";
import {
  numbers
} from "./5LWLKKI5.js";

// src/mechanisms/symmetric-unary.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return symmetricUnary(answers, keep, lie);
};

export {
  fromSpec
};
