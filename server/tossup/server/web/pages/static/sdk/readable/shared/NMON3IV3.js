import {
  symmetricUnary
} from "./RYZ64NUK.js";
import {
  numbers
} from "./VA7YJENC.js";

// src/mechanisms/symmetric-unary.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return symmetricUnary(answers, keep, lie);
};

export {
  fromSpec
};
//# sourceMappingURL=NMON3IV3.js.map
