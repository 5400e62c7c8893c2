import {
  unary
} from "./OBDUPNW4.js";
import {
  checkKeepAndLie,
  numbers
} from "./ZGTW6QBU.js";

// src/mechanisms/optimized-unary.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  checkKeepAndLie(keep, lie);
  return unary("optimized-unary/1", answers, keep + lie, 2 * lie, 2 * (keep + lie));
};

export {
  fromSpec
};
//# sourceMappingURL=6RBG4RZB.js.map
