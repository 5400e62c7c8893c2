import {
  elementary,
  scored
} from "../shared/KLCN7UT2.js";
import "../shared/TDJWXKJO.js";
import "../shared/WPQLKJWZ.js";
import "../shared/ZGTW6QBU.js";
import "../shared/QSFGJONQ.js";

// src/mechanisms/noisy-max-laplace.ts
var BITS = 256n;
var ONE = 1n << BITS;
var times = (one, other) => one * other >> BITS;
var over = (one, other) => (one << BITS) / other;
function power(base, exponent) {
  if (exponent < 2) return exponent ? base : ONE;
  const half = power(base, Math.floor(exponent / 2));
  const square = times(half, half);
  return exponent % 2 ? times(square, base) : square;
}
var fromSpec = (spec) => scored("noisy-max-laplace/1", spec, (losses, keep, lie) => {
  const ratio = (lie << BITS) / keep;
  const levels = [...new Set(losses)].sort((a, b) => a - b);
  const ties = /* @__PURE__ */ new Map();
  const tie = (risen, fallen) => {
    const key = risen * 64 + fallen;
    const known = ties.get(key);
    if (known !== void 0) return known;
    const [low, high] = [over(ratio, ONE + ratio), over(ONE, ONE + ratio)];
    const found = fallen ? tie(risen, fallen - 1) - tie(risen + 1, fallen - 1) : (power(high, risen + 1) - power(low, risen + 1)) / BigInt(risen + 1);
    ties.set(key, found);
    return found;
  };
  const alternating = (sums, fallen, series) => sums.reduce((total, products, size) => {
    const term = times(times(products, series[size]), tie(size, fallen));
    return total + (size % 2 ? -term : term);
  }, 0n);
  const wins = new Map(levels.map((loss) => [loss, 0n]));
  const win = (loss, chance) => void wins.set(loss, wins.get(loss) + chance);
  for (let place = 0; place <= levels.length; place++) {
    const [upper, lower] = [levels[place - 1], levels[place]];
    const fallen = losses.filter((loss) => upper !== void 0 && loss <= upper);
    const risen = losses.filter((loss) => lower !== void 0 && loss >= lower);
    const behind = risen.map((loss) => power(ratio, loss - (lower ?? 0)));
    const ahead = power(ratio, fallen.reduce((sum, loss) => sum + upper - loss, 0));
    const steps = upper === void 0 || lower === void 0 ? void 0 : lower - upper;
    const series = Array.from({ length: risen.length + 1 }, (_, size) => along(ratio, fallen.length, size, steps));
    const sums = elementary(behind, ONE, times);
    if (fallen.length) {
      const chance = times(ahead, alternating(sums, fallen.length - 1, series));
      for (const loss of new Set(fallen)) win(loss, chance);
    }
    new Map(risen.map((loss, at) => [loss, behind[at]])).forEach((own, loss) => {
      const chance = alternating(without(sums, own), fallen.length, series.slice(1));
      win(loss, times(times(ahead, own), chance));
    });
  }
  return losses.map((loss) => wins.get(loss));
});
function along(ratio, fallen, risen, steps) {
  const [first, second] = [power(ratio, fallen), power(ratio, risen)];
  if (!second) return 0n;
  if (steps === void 0) {
    if (risen) return over(second, ONE - second);
    return fallen ? over(ONE, ONE - first) : 0n;
  }
  if (fallen === risen) return BigInt(steps) * power(ratio, fallen * steps);
  const ends = power(ratio, fallen * steps) - power(ratio, risen * steps);
  return over(times(second, ends), first - second);
}
function without(sums, value) {
  const left = [ONE];
  for (const together of sums.slice(1, -1)) left.push(together - times(value, left[left.length - 1]));
  return left;
}
export {
  fromSpec
};
//# sourceMappingURL=noisy-max-laplace.js.map
