/** Noisy max: the option whose score is highest after Laplace noise. Fixed point, 256 bits, as Python's. */

import { elementary, scored } from "../sampling/scores.js";
import type { MechanismModule } from "./base.js";

const BITS = 256n;
const ONE = 1n << BITS;
const times = (one: bigint, other: bigint): bigint => (one * other) >> BITS;
const over = (one: bigint, other: bigint): bigint => (one << BITS) / other;

function power(base: bigint, exponent: number): bigint {
  if (exponent < 2) return exponent ? base : ONE;
  const half = power(base, Math.floor(exponent / 2));
  const square = times(half, half);
  return exponent % 2 ? times(square, base) : square;
}

export const fromSpec: MechanismModule["fromSpec"] = (spec) =>
  scored("noisy-max-laplace/1", spec, (losses, keep, lie) => {
    const ratio = (lie << BITS) / keep;
    const levels = [...new Set(losses)].sort((a, b) => a - b);
    const ties = new Map<number, bigint>();
    /** Return the chance that those who rose so high stay behind those who fell. */
    const tie = (risen: number, fallen: number): bigint => {
      const key = risen * 64 + fallen;
      const known = ties.get(key);
      if (known !== undefined) return known;
      const [low, high] = [over(ratio, ONE + ratio), over(ONE, ONE + ratio)];
      const found = fallen
        ? tie(risen, fallen - 1) - tie(risen + 1, fallen - 1)
        : (power(high, risen + 1) - power(low, risen + 1)) / BigInt(risen + 1);
      ties.set(key, found);
      return found;
    };
    const alternating = (sums: readonly bigint[], fallen: number, series: readonly bigint[]): bigint =>
      sums.reduce((total, products, size) => {
        const term = times(times(products, series[size] as bigint), tie(size, fallen));
        return total + (size % 2 ? -term : term);
      }, 0n);
    const wins = new Map<number, bigint>(levels.map((loss) => [loss, 0n]));
    const win = (loss: number, chance: bigint): void => void wins.set(loss, (wins.get(loss) as bigint) + chance);
    for (let place = 0; place <= levels.length; place++) {
      const [upper, lower] = [levels[place - 1], levels[place]];
      const fallen = losses.filter((loss) => upper !== undefined && loss <= upper);
      const risen = losses.filter((loss) => lower !== undefined && loss >= lower);
      const behind = risen.map((loss) => power(ratio, loss - (lower ?? 0)));
      const ahead = power(ratio, fallen.reduce((sum, loss) => sum + (upper as number) - loss, 0));
      const steps = upper === undefined || lower === undefined ? undefined : lower - upper;
      const series = Array.from({ length: risen.length + 1 }, (_, size) => along(ratio, fallen.length, size, steps));
      const sums = elementary(behind, ONE, times);
      if (fallen.length) {
        const chance = times(ahead, alternating(sums, fallen.length - 1, series));
        for (const loss of new Set(fallen)) win(loss, chance);
      }
      new Map(risen.map((loss, at) => [loss, behind[at] as bigint])).forEach((own, loss) => {
        const chance = alternating(without(sums, own), fallen.length, series.slice(1));
        win(loss, times(times(ahead, own), chance));
      });
    }
    return losses.map((loss) => wins.get(loss) as bigint);
  });

/** Return the sum of a geometric series of the places at which the best may stand. */
function along(ratio: bigint, fallen: number, risen: number, steps?: number): bigint {
  const [first, second] = [power(ratio, fallen), power(ratio, risen)];
  if (!second) return 0n;
  if (steps === undefined) {
    if (risen) return over(second, ONE - second);
    return fallen ? over(ONE, ONE - first) : 0n;
  }
  if (fallen === risen) return BigInt(steps) * power(ratio, fallen * steps);
  const ends = power(ratio, fallen * steps) - power(ratio, risen * steps);
  return over(times(second, ends), first - second);
}

/** Return the symmetric sums of all values but one. */
function without(sums: readonly bigint[], value: bigint): bigint[] {
  const left = [ONE];
  for (const together of sums.slice(1, -1)) left.push(together - times(value, left[left.length - 1] as bigint));
  return left;
}
