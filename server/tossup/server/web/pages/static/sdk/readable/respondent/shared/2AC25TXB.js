import {
  kAry
} from "./Q6IJI2SH.js";
import {
  numbers
} from "./ZAAYOKEC.js";

// src/mechanisms/k-ary-randomized-response.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return kAry(answers, keep, lie);
};

export {
  fromSpec
};
