import {
  kAry
} from "./MJHQ5B3X.js";
import {
  numbers
} from "./JLZ5BSSY.js";

// src/mechanisms/k-ary-randomized-response.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return kAry(answers, keep, lie);
};

export {
  fromSpec
};
