import {
  keptBits
} from "../shared/5I3T7CP6.js";
import "../shared/7UNATXEL.js";
import "../shared/RZ6CJKIU.js";
import {
  check,
  countOf,
  numbers,
  whole
} from "../shared/ZGTW6QBU.js";
import "../shared/QSFGJONQ.js";

// src/mechanisms/d-bit-flip.ts
var fromSpec = (spec, answers) => {
  const names = "asked keep lie again_keep again_lie";
  const [asked, ...weights] = numbers(spec, names);
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
    report: (first, mask) => first << asked | mask
  });
};
export {
  fromSpec
};
//# sourceMappingURL=d-bit-flip.js.map
