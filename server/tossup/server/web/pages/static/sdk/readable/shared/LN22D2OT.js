import {
  unary
} from "./3TZ6CVOM.js";
import {
  checkKeepAndLie,
  numbers
} from "./BAAU4PZL.js";

// src/mechanisms/optimized-unary.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  checkKeepAndLie(keep, lie);
  return unary("optimized-unary/1", answers, keep + lie, 2 * lie, 2 * (keep + lie));
};

export {
  fromSpec
};
//# sourceMappingURL=LN22D2OT.js.map
