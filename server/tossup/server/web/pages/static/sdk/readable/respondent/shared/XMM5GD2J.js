import {
  symmetricUnary
} from "./6SXYSUVN.js";
import {
  numbers
} from "./C3ZFIKGH.js";

// src/mechanisms/symmetric-unary.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return symmetricUnary(answers, keep, lie);
};

export {
  fromSpec
};
