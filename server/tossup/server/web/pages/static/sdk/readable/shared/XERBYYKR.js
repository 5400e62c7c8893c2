import {
  kAry
} from "./6VHJIDQC.js";
import {
  numbers
} from "./NTWOXCFD.js";

// src/mechanisms/k-ary-randomized-response.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return kAry(answers, keep, lie);
};

export {
  fromSpec
};
//# sourceMappingURL=XERBYYKR.js.map
