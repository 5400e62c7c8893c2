import {
  keptBits,
  toldBy
} from "../shared/HBWOZDWJ.js";
import "../shared/M3P4WGVB.js";
import "../shared/ILRTPO4M.js";
import {
  ends,
  pointsOf
} from "../shared/SHKNB676.js";
import "../shared/TDJWXKJO.js";
import "../shared/YJHIPBOC.js";
import {
  numbers
} from "../shared/3YUBTFZ7.js";
import"../page/page.js";

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
