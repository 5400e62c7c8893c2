import {
  kAry
} from "./X5OIAOYN.js";
import {
  numbers
} from "./3YUBTFZ7.js";

// src/mechanisms/k-ary-randomized-response.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return kAry(answers, keep, lie);
};

export {
  fromSpec
};
