import {
  symmetricUnary
} from "./OBDUPNW4.js";
import {
  numbers
} from "./ZGTW6QBU.js";

// src/mechanisms/symmetric-unary.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return symmetricUnary(answers, keep, lie);
};

export {
  fromSpec
};
//# sourceMappingURL=5UWFB2UE.js.map
