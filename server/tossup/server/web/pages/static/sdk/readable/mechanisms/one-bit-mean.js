import {
  keptBits,
  toldBy
} from "../shared/K376R62R.js";
import {
  ends,
  pointsOf
} from "../shared/K6ZQIXLY.js";
import "../shared/R7BVVZCC.js";
import "../shared/WI7C5L7H.js";
import {
  numbers
} from "../shared/3SNUPGXL.js";
import "../shared/7KQQEI2G.js";

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
