import {
  kAry
} from "./F62LVBJI.js";
import {
  numbers
} from "./HRRUQ74D.js";

// src/mechanisms/k-ary-randomized-response.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return kAry(answers, keep, lie);
};

export {
  fromSpec
};
