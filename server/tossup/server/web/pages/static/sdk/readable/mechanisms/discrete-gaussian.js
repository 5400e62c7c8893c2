import {
  decay
} from "../shared/P7ZKYTDG.js";
import "../shared/TDJWXKJO.js";
import "../shared/WPQLKJWZ.js";
import {
  check,
  checkKeys,
  checkRatio,
  odds,
  whole
} from "../shared/ZGTW6QBU.js";
import "../shared/QSFGJONQ.js";

// src/mechanisms/discrete-gaussian.ts
var fromSpec = (spec, answers) => {
  checkKeys(spec, "keep lie tails");
  const [keep, lie] = [whole(spec["keep"], "keep"), whole(spec["lie"], "lie")];
  const made = decay("discrete-gaussian/1", answers, spec);
  checkRatio(keep, lie);
  check(made.margin >= 1, "margin");
  check(made.answers * made.reports <= 1 << 22, "cells");
  const most = excess(made, BigInt(keep), BigInt(lie));
  return { ...made, odds: odds(keep, lie), delta: odds(most, BigInt(lie) * BigInt(made.total)) };
};
function excess({ sizes: given, tails: sums, margin, answers }, keep, lie) {
  const [sizes, tails, span] = [given.map(BigInt), sums.map(BigInt), Number(answers) - 1];
  const over = (of, one, other) => {
    const found = lie * of[one] - keep * of[other];
    return found > 0n ? found : 0n;
  };
  const last = sizes.length - 1;
  if (!sizes.some((_, noise) => over(sizes, noise, Math.min(noise + span, last)))) return over(tails, margin, last + 1);
  let most = 0n;
  for (let distance = 1; distance <= span; distance++) {
    let within = 0n;
    for (let noise = -(distance >> 1); noise <= sizes.length - distance; noise++) {
      const total = noise >= margin ? within + over(tails, noise, noise + distance) : 0n;
      if (total > most) most = total;
      if (noise < sizes.length - distance) within += over(sizes, Math.abs(noise), noise + distance);
    }
  }
  return most;
}
export {
  fromSpec
};
//# sourceMappingURL=discrete-gaussian.js.map
