import {
  kAry
} from "./CWXXOCOX.js";
import {
  numbers
} from "./BL6JMQTK.js";

// src/mechanisms/k-ary-randomized-response.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return kAry(answers, keep, lie);
};

export {
  fromSpec
};
//# sourceMappingURL=ES6V62QB.js.map
