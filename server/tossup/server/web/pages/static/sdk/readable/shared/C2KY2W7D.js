import {
  kAry
} from "./OBDUPNW4.js";
import {
  numbers
} from "./ZGTW6QBU.js";

// src/mechanisms/k-ary-randomized-response.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return kAry(answers, keep, lie);
};

export {
  fromSpec
};
//# sourceMappingURL=C2KY2W7D.js.map
