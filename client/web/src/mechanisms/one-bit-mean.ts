/** One bit about a mean: whether the answer is above a threshold that chance drew. */

import { ends, pointsOf } from "../sampling/grids.js";
import { keptBits, toldBy } from "../sampling/kept-bits.js";
import { numbers } from "../sampling/spec.js";
import type { MechanismModule } from "./base.js";

export const fromSpec: MechanismModule["fromSpec"] = (spec, answers) => {
  const weights = numbers(spec, "keep lie again_keep again_lie") as [number, number, number, number];
  const windows = pointsOf(answers) - 1;
  const told = toldBy(weights);
  ends("one-bit-mean/1", answers, Number(told.n), Number(told.d)); // of whose weights its reports are
  return keptBits("one-bit-mean/1", answers, {
    weights,
    windows,
    buckets: 1,
    reports: 2,
    truth: (first, answer) => Number(answer > first),
    report: (_first, mask) => mask,
  });
};
