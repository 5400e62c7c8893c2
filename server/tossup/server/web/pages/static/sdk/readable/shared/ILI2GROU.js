import {
  kAry
} from "./3TZ6CVOM.js";
import {
  numbers
} from "./BAAU4PZL.js";

// src/mechanisms/k-ary-randomized-response.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return kAry(answers, keep, lie);
};

export {
  fromSpec
};
//# sourceMappingURL=ILI2GROU.js.map
