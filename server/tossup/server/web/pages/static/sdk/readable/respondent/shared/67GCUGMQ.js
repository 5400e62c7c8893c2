import {
  kAry
} from "./QCWHOFSE.js";
import {
  numbers
} from "./W7JX4ZXR.js";

// src/mechanisms/k-ary-randomized-response.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return kAry(answers, keep, lie);
};

export {
  fromSpec
};
