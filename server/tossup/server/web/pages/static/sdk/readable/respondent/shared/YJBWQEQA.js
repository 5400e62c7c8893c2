import {
  kAry
} from "./2U3ZSSGR.js";
import {
  numbers
} from "./BKIISGPW.js";

// src/mechanisms/k-ary-randomized-response.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return kAry(answers, keep, lie);
};

export {
  fromSpec
};
