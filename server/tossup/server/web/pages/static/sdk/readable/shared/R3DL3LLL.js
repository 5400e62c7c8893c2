import {
  symmetricUnary
} from "./S633ZBVW.js";
import {
  numbers
} from "./3SNUPGXL.js";

// src/mechanisms/symmetric-unary.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return symmetricUnary(answers, keep, lie);
};

export {
  fromSpec
};
//# sourceMappingURL=R3DL3LLL.js.map
