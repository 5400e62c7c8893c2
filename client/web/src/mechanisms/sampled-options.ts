/** Some options in a row, drawn by chance, and a bit for each that is told through its own coins. */

import { bytesForRun } from "../sampling/runs.js";
import { draws } from "../sampling/options.js";
import { setMechanism, ticks } from "../sampling/sets.js";
import { check, checkKeepAndLie, checkTotal, mask, MOST, numbers, odds, power, whole } from "../sampling/spec.js";
import type { MechanismModule } from "./base.js";

export const fromSpec: MechanismModule["fromSpec"] = (spec, answers) => {
  const [most, asked, keep, lie] = numbers(spec, "most asked keep lie") as [number, number, number, number];
  const { options, ...set } = setMechanism(answers, most);
  const total = keep + lie;
  checkKeepAndLie(keep, lie);
  whole(asked, "asked", 1, options);
  check(options * 2 ** asked <= MOST, "reports of at most 4 bytes");
  checkTotal(total);
  let bytes: number | undefined;
  return {
    ...set,
    id: "sampled-options/1",
    reports: BigInt(options) << BigInt(asked),
    odds: power(odds(keep, lie), Math.min(asked, 2 * most)),
    stated: ticks(odds(lie, total), odds(keep, total)),
    randomize(answer, coins) {
      coins.reserve((bytes ??= bytesForRun([options, ...Array<number>(asked).fill(total)])));
      const first = BigInt(coins.below(options));
      const turned = mask(draws(coins, asked, total).map((draw) => draw < lie));
      const held = BigInt.asUintN(asked, (answer >> first) | (answer << (BigInt(options) - first)));
      return (first << BigInt(asked)) | (held ^ turned);
    },
  };
};
