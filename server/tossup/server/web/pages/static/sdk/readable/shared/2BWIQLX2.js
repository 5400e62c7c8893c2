import {
  kAry
} from "./YJARJFWB.js";
import {
  numbers
} from "./P4RNLGJS.js";

// src/mechanisms/k-ary-randomized-response.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return kAry(answers, keep, lie);
};

export {
  fromSpec
};
//# sourceMappingURL=2BWIQLX2.js.map
