import {
  kAry
} from "./5S6FVKE5.js";
import {
  numbers
} from "./WH7GYDMH.js";

// src/mechanisms/k-ary-randomized-response.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return kAry(answers, keep, lie);
};

export {
  fromSpec
};
