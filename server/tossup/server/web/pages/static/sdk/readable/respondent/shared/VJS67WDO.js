import {
  kAry
} from "./O7KE2225.js";
import {
  numbers
} from "./5JM6JLH5.js";

// src/mechanisms/k-ary-randomized-response.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return kAry(answers, keep, lie);
};

export {
  fromSpec
};
