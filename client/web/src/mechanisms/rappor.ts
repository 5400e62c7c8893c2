/** RAPPOR: a symmetric unary encoding that is kept, and shown through fresh coins in every wave. */

import type { Coins } from "../coins.js";
import { bytesForRun } from "../sampling/runs.js";
import { draws, symmetricUnary, told, unary } from "../sampling/options.js";
import { check, mask, numbers } from "../sampling/spec.js";
import type { MechanismModule } from "./base.js";

export const fromSpec: MechanismModule["fromSpec"] = (spec, answers) => {
  const [keep, lie, one, zero, outOf] = numbers(spec, "keep lie one zero out_of") as [number, number, number, number, number];
  const memory = symmetricUnary(answers, keep, lie);
  check(0 < zero && zero < one && one < outOf, "0 < zero < one < out_of");
  const turn = keep + lie;
  const options = Number(answers);
  const run = (...each: number[]): number => bytesForRun(each.flatMap((size) => Array<number>(options).fill(size)));
  let bytes: { readonly wave: number; readonly both: number } | undefined;
  const needed = () => (bytes ??= { wave: run(outOf), both: run(turn, outOf) });
  const shown = (kept: bigint, coins: Coins): bigint => told(kept, draws(coins, options, outOf), one, zero);
  return {
    ...unary("rappor/1", answers, keep * one + lie * zero, lie * one + keep * zero, turn * outOf),
    memory,
    again(kept, coins) {
      coins.reserve(needed().wave);
      return shown(kept, coins);
    },
    randomize(answer, coins) {
      coins.reserve(needed().both);
      const turned = mask(draws(coins, options, turn).map((draw) => draw < lie));
      return shown(turned ^ (1n << answer), coins);
    },
  };
};
