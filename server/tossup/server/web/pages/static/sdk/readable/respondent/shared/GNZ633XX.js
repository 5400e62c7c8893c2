import {
  kAry
} from "./BJ2AZBSH.js";
import {
  numbers
} from "./3JW6NCQS.js";

// src/mechanisms/k-ary-randomized-response.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return kAry(answers, keep, lie);
};

export {
  fromSpec
};
