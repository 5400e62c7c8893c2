/** d-bit flipping: some buckets in a row, drawn by chance, and a bit for each that says whether the answer is in it. */

import { keptBits } from "../sampling/kept-bits.js";
import { check, countOf, numbers, whole } from "../sampling/spec.js";
import type { MechanismModule } from "./base.js";

export const fromSpec: MechanismModule["fromSpec"] = (spec, answers) => {
  const names = "asked keep lie again_keep again_lie";
  const [asked, ...weights] = numbers(spec, names) as [number, number, number, number, number];
  const points = countOf(answers, 2, 32);
  whole(asked, "asked", 1, points);
  const windows = asked === points ? 1 : points;
  const reports = windows * 2 ** asked;
  check(reports <= 1 << 12, "reports");
  return keptBits("d-bit-flip/1", answers, {
    weights,
    windows,
    buckets: asked,
    reports,
    truth(first, answer) {
      const place = (answer - first + points) % points;
      return place < asked ? 1 << place : 0;
    },
    report: (first, mask) => (first << asked) | mask,
  });
};
