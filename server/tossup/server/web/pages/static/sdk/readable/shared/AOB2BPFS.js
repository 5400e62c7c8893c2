import {
  kAry
} from "./YXJJ74NO.js";
import {
  numbers
} from "./XVP6OM4I.js";

// src/mechanisms/k-ary-randomized-response.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return kAry(answers, keep, lie);
};

export {
  fromSpec
};
//# sourceMappingURL=AOB2BPFS.js.map
