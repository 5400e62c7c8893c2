import {
  unary
} from "./RYZ64NUK.js";
import {
  checkKeepAndLie,
  numbers
} from "./VA7YJENC.js";

// src/mechanisms/optimized-unary.ts
var fromSpec = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie");
  checkKeepAndLie(keep, lie);
  return unary("optimized-unary/1", answers, keep + lie, 2 * lie, 2 * (keep + lie));
};

export {
  fromSpec
};
//# sourceMappingURL=NBGMQ724.js.map
