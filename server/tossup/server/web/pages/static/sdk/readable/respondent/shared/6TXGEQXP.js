import {
  kAry
} from "./2IPZ7WQP.js";
import {
  numbers
} from "./T2TDNCNS.js";

// src/mechanisms/k-ary-randomized-response.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return kAry(answers, keep, lie);
};

export {
  fromSpec
};
