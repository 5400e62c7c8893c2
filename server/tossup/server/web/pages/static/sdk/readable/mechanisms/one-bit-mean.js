import {
  keptBits,
  toldBy
} from "../shared/QDMLJ4DY.js";
import {
  ends,
  pointsOf
} from "../shared/NWEH3IHW.js";
import "../shared/R7BVVZCC.js";
import "../shared/RU4QECN3.js";
import {
  numbers
} from "../shared/XVP6OM4I.js";
import "../shared/556CFHNP.js";

// src/mechanisms/one-bit-mean.ts
var fromSpec = (spec, answers) => {
  const weights = numbers(spec, "keep lie again_keep again_lie");
  const windows = pointsOf(answers) - 1;
  const told = toldBy(weights);
  ends("one-bit-mean/1", answers, Number(told.n), Number(told.d));
  return keptBits("one-bit-mean/1", answers, {
    weights,
    windows,
    buckets: 1,
    reports: 2,
    truth: (first, answer) => Number(answer > first),
    report: (_first, mask) => mask
  });
};
export {
  fromSpec
};
//# sourceMappingURL=one-bit-mean.js.map
