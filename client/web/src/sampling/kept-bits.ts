/** Bits that a device keeps before it knows an answer, and shows through fresh coins in every wave. */

import type { Coins } from "../coins.js";
import { bytesForRun } from "./runs.js";
import type { Mechanism } from "../mechanisms/base.js";
import type { Ratio } from "../ratio.js";
import { check, checkTotal, odds, power } from "./spec.js";

export interface Asked {
  /** Keep and lie of the memo, then of each report. */
  readonly weights: readonly [number, number, number, number];
  /** Which bits are asked is one of so many windows. */
  readonly windows: number;
  readonly buckets: number;
  readonly reports: number;
  /** Return the bits of an answer in a window. */
  truth(first: number, answer: number): number;
  report(first: number, mask: number): number;
}

/** Return the odds of one bit in one report, and check the weights. */
export function toldBy([keep, lie, againKeep, againLie]: Asked["weights"]): Ratio {
  check(keep > lie && lie >= 0 && againKeep > againLie && againLie >= 1, "keep > lie >= 0, again_keep > again_lie >= 1");
  checkTotal(keep + lie);
  checkTotal(againKeep + againLie);
  const [k, l, a, b] = [BigInt(keep), BigInt(lie), BigInt(againKeep), BigInt(againLie)];
  return odds(k * a + l * b, k * b + l * a);
}

/** Return a mechanism with a memo: a bit for every bucket asked, in case the truth is in it or not. */
export function keptBits(id: string, answers: bigint, asked: Asked, again = toldBy(asked.weights)): Mechanism {
  const { weights, windows, buckets } = asked;
  const [keep, lie, againKeep, againLie] = weights;
  const all = (1 << buckets) - 1;
  const memoSizes = [windows, ...Array<number>(2 * buckets).fill(keep + lie)];
  const sizes = Array<number>(buckets).fill(againKeep + againLie);
  const drawnBits = (coins: Coins, total: number, least: number): number => {
    let bits = 0;
    for (let place = 0; place < buckets; place++) bits |= Number(coins.below(total) < least) << place;
    return bits;
  };
  const memo = (coins: Coins): number => {
    const first = coins.below(windows);
    const inside = all ^ drawnBits(coins, keep + lie, lie);
    return (((first << buckets) | inside) << buckets) | drawnBits(coins, keep + lie, lie);
  };
  const turned = (kept: number, answer: number, coins: Coins): bigint => {
    const [first, inside] = [kept >> (2 * buckets), (kept >> buckets) & all];
    const truth = asked.truth(first, answer);
    const shown = (inside & truth) | (kept & ~truth & all);
    return BigInt(asked.report(first, shown ^ drawnBits(coins, againKeep + againLie, againLie)));
  };
  const bytes = { memo: bytesForRun(memoSizes), wave: bytesForRun(sizes), both: bytesForRun([...memoSizes, ...sizes]) };
  return {
    id,
    answerKind: "number",
    answers,
    reports: BigInt(asked.reports),
    odds: power(again, Math.min(buckets, 2)),
    mostReports: 16,
    stated: () => ({ sentence: "report", chances: [] }),
    /** To someone who has the memo, its bits are certain. */
    get givenMemo() {
      return keptBits(id, answers, { ...asked, weights: [1, 0, againKeep, againLie] });
    },
    memo(coins) {
      coins.reserve(bytes.memo);
      return BigInt(memo(coins));
    },
    through(kept, answer, coins) {
      coins.reserve(bytes.wave);
      return turned(Number(kept), Number(answer), coins);
    },
    randomize(answer, coins) {
      coins.reserve(bytes.both);
      return turned(memo(coins), Number(answer), coins);
    },
  };
}
