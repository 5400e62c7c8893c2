import {
  symmetricUnary
} from "./YXJJ74NO.js";
import {
  numbers
} from "./XVP6OM4I.js";

// src/mechanisms/symmetric-unary.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return symmetricUnary(answers, keep, lie);
};

export {
  fromSpec
};
//# sourceMappingURL=MJ4UUSB6.js.map
