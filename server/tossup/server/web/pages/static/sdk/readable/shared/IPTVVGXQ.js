import {
  symmetricUnary
} from "./CWXXOCOX.js";
import {
  numbers
} from "./BL6JMQTK.js";

// src/mechanisms/symmetric-unary.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return symmetricUnary(answers, keep, lie);
};

export {
  fromSpec
};
//# sourceMappingURL=IPTVVGXQ.js.map
