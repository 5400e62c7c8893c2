import {
  kAry
} from "./PCRSEMDV.js";
import {
  numbers
} from "./565UPYFV.js";

// src/mechanisms/k-ary-randomized-response.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return kAry(answers, keep, lie);
};

export {
  fromSpec
};
//# sourceMappingURL=KDVRLDM7.js.map
