import {
  keptBits,
  toldBy
} from "../shared/DXW45HBP.js";
import "../shared/7UNATXEL.js";
import "../shared/RZ6CJKIU.js";
import {
  ends,
  pointsOf
} from "../shared/QW6NFA2R.js";
import "../shared/TDJWXKJO.js";
import "../shared/NJOZZSXN.js";
import {
  numbers
} from "../shared/QF2AWJEN.js";
import "../shared/5BMRU7X6.js";

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
