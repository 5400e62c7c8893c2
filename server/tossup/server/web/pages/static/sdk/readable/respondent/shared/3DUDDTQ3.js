import {
  kAry
} from "./QKIV7XYQ.js";
import {
  numbers
} from "./UCKCAESS.js";

// src/mechanisms/k-ary-randomized-response.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return kAry(answers, keep, lie);
};

export {
  fromSpec
};
