import {
  kAry
} from "./S633ZBVW.js";
import {
  numbers
} from "./3SNUPGXL.js";

// src/mechanisms/k-ary-randomized-response.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return kAry(answers, keep, lie);
};

export {
  fromSpec
};
//# sourceMappingURL=XSIJZLKC.js.map
