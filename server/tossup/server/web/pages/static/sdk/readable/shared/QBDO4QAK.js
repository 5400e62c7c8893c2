import {
  kAry
} from "./6NPZHHGT.js";
import {
  numbers
} from "./C65GXGM4.js";

// src/mechanisms/k-ary-randomized-response.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return kAry(answers, keep, lie);
};

export {
  fromSpec
};
//# sourceMappingURL=QBDO4QAK.js.map
