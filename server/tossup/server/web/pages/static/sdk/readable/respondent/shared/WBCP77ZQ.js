import {
  kAry
} from "./BCA6E7JP.js";
import {
  numbers
} from "./NOKLIKL7.js";

// src/mechanisms/k-ary-randomized-response.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return kAry(answers, keep, lie);
};

export {
  fromSpec
};
