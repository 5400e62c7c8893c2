import {
  symmetricUnary
} from "./X5OIAOYN.js";
import {
  numbers
} from "./3YUBTFZ7.js";

// src/mechanisms/symmetric-unary.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return symmetricUnary(answers, keep, lie);
};

export {
  fromSpec
};
