import {
  kAry
} from "./6SXYSUVN.js";
import {
  numbers
} from "./C3ZFIKGH.js";

// src/mechanisms/k-ary-randomized-response.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return kAry(answers, keep, lie);
};

export {
  fromSpec
};
