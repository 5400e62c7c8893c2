import {
  unary
} from "./YXJJ74NO.js";
import {
  checkKeepAndLie,
  numbers
} from "./XVP6OM4I.js";

// src/mechanisms/optimized-unary.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  checkKeepAndLie(keep, lie);
  return unary("optimized-unary/1", answers, keep + lie, 2 * lie, 2 * (keep + lie));
};

export {
  fromSpec
};
//# sourceMappingURL=3YVLPC5D.js.map
