import {
  bytesForRun
} from "./7UNATXEL.js";
import {
  check,
  checkTotal,
  odds,
  power
} from "./ZGTW6QBU.js";

// src/sampling/kept-bits.ts
function toldBy([keep, lie, againKeep, againLie]) {
  check(keep > lie && lie >= 0 && againKeep > againLie && againLie >= 1, "keep > lie >= 0, again_keep > again_lie >= 1");
  checkTotal(keep + lie);
  checkTotal(againKeep + againLie);
  const [k, l, a, b] = [BigInt(keep), BigInt(lie), BigInt(againKeep), BigInt(againLie)];
  return odds(k * a + l * b, k * b + l * a);
}
function keptBits(id, answers, asked, again = toldBy(asked.weights)) {
  const { weights, windows, buckets } = asked;
  const [keep, lie, againKeep, againLie] = weights;
  const all = (1 << buckets) - 1;
  const memoSizes = [windows, ...Array(2 * buckets).fill(keep + lie)];
  const sizes = Array(buckets).fill(againKeep + againLie);
  const drawnBits = (coins, total, least) => {
    let bits = 0;
    for (let place = 0; place < buckets; place++) bits |= Number(coins.below(total) < least) << place;
    return bits;
  };
  const memo = (coins) => {
    const first = coins.below(windows);
    const inside = all ^ drawnBits(coins, keep + lie, lie);
    return (first << buckets | inside) << buckets | drawnBits(coins, keep + lie, lie);
  };
  const turned = (kept, answer, coins) => {
    const [first, inside] = [kept >> 2 * buckets, kept >> buckets & all];
    const truth = asked.truth(first, answer);
    const shown = inside & truth | kept & ~truth & all;
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
    }
  };
}

export {
  toldBy,
  keptBits
};
//# sourceMappingURL=5I3T7CP6.js.map
