import {
  kAry
} from "./JXF4OJH6.js";
import {
  numbers
} from "./5LWLKKI5.js";

// src/mechanisms/k-ary-randomized-response.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return kAry(answers, keep, lie);
};

export {
  fromSpec
};
