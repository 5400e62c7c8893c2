/** A bit for every option that may be ticked, each told through its own coins. */

import { bytesForRun } from "../sampling/runs.js";
import { isAbove, times } from "../ratio.js";
import { draws, told } from "../sampling/options.js";
import { setMechanism, ticks } from "../sampling/sets.js";
import { check, MOST, numbers, odds, power } from "../sampling/spec.js";
import type { MechanismModule } from "./base.js";

export const fromSpec: MechanismModule["fromSpec"] = (spec, answers) => {
  const [most, hit, miss, total] = numbers(spec, "most hit miss total") as [number, number, number, number];
  const { options, ...set } = setMechanism(answers, most);
  check(1 <= miss && miss < hit && hit < total && total <= MOST, "1 <= miss < hit < total <= 2 ** 32");
  const [hits, misses] = [odds(hit, miss), odds(total - miss, total - hit)];
  const [more, less] = isAbove(hits, misses) ? [hits, misses] : [misses, hits];
  let bytes: number | undefined;
  return {
    ...set,
    id: "per-option-bits/1",
    reports: answers,
    odds: times(power(more, most), power(less, Math.min(most, options - most))),
    stated: ticks(odds(miss, total), odds(hit, total)),
    randomize(answer, coins) {
      coins.reserve((bytes ??= bytesForRun(Array<number>(options).fill(total))));
      return told(answer, draws(coins, options, total), hit, miss);
    },
  };
};
