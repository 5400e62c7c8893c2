import {
  kAry
} from "./LKM5Q2WV.js";
import {
  numbers
} from "./6JNFSEP3.js";

// src/mechanisms/k-ary-randomized-response.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return kAry(answers, keep, lie);
};

export {
  fromSpec
};
