import {
  symmetricUnary
} from "./UMDAXZOS.js";
import {
  numbers
} from "./EP62XFI6.js";

// src/mechanisms/symmetric-unary.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  return symmetricUnary(answers, keep, lie);
};

export {
  fromSpec
};
//# sourceMappingURL=HPJ4M7FB.js.map
