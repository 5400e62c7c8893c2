/** Discrete Gaussian noise: its odds hold but for a small chance, which is found here exactly. */

import { type Decay, decay } from "../sampling/grids.js";
import { check, checkKeys, checkRatio, odds, whole } from "../sampling/spec.js";
import type { MechanismModule } from "./base.js";

export const fromSpec: MechanismModule["fromSpec"] = (spec, answers) => {
  checkKeys(spec, "keep lie tails");
  const [keep, lie] = [whole(spec["keep"], "keep"), whole(spec["lie"], "lie")];
  const made = decay("discrete-gaussian/1", answers, spec);
  checkRatio(keep, lie);
  check(made.margin >= 1, "margin");
  check(made.answers * made.reports <= 1 << 22, "cells");
  const most = excess(made, BigInt(keep), BigInt(lie));
  return { ...made, odds: odds(keep, lie), delta: odds(most, BigInt(lie) * BigInt(made.total)) };
};

/** Return `lie` times the weight by which reports exceed the odds, of the two answers where it is largest. */
function excess({ sizes: given, tails: sums, margin, answers }: Decay, keep: bigint, lie: bigint): bigint {
  const [sizes, tails, span] = [given.map(BigInt), sums.map(BigInt), Number(answers) - 1];
  const over = (of: readonly bigint[], one: number, other: number): bigint => {
    const found = lie * (of[one] as bigint) - keep * (of[other] as bigint);
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
