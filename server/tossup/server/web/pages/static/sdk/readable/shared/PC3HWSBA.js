import {
  symmetricUnary
} from "./6NPZHHGT.js";
import {
  numbers
} from "./C65GXGM4.js";

// src/mechanisms/symmetric-unary.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return symmetricUnary(answers, keep, lie);
};

export {
  fromSpec
};
//# sourceMappingURL=PC3HWSBA.js.map
