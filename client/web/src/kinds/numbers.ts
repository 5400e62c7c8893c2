/** What questions about a number take: a grid from low to high, to whose points answers are put. */

import type { Coins } from "../coins.js";
import { inFull, isAbove, plus, type Ratio, ratio } from "../ratio.js";
import { check } from "../sampling/spec.js";
import { hasKeys } from "../wire.js";
import type { KindModule } from "./base.js";

const LARGEST = 10n ** 15n;
const DIGITS = 128n;

const minus = (a: Ratio, b: Ratio): Ratio => plus(a, { n: -b.n, d: b.d });
const over = (a: Ratio, b: Ratio): Ratio => ratio(a.n * b.d, a.d * b.n);

export const fromJson: KindModule["fromJson"] = (value, options, key) => {
  const isWhole = key === "integers";
  check(!options.length && hasKeys(value, isWhole ? "low high" : "low high step"), "number");
  const read = isWhole ? readInteger : readRatio;
  const [low, high] = [read(value["low"]), read(value["high"])];
  const step = isWhole ? { n: 1n, d: 1n } : read(value["step"]);
  check(step.n > 0n && isAbove(high, low), "low below high, and a step above 0");
  const steps = over(minus(high, low), step);
  check(steps.d === 1n && steps.n < 1024n, "1 to 1023 whole steps");
  return {
    kind: "number",
    answers: steps.n + 1n,
    options: [],
    fits: (mechanism) => mechanism.answerKind === "number",
    place(answer) {
      const number = exactNumber(answer);
      if (!number || (isWhole && number.d !== 1n)) return undefined;
      const clipped = isAbove(low, number) ? low : isAbove(number, high) ? high : number;
      return over(minus(clipped, low), step);
    },
    index: (place, { rounding = "random" }, coins) =>
      isWhole ? (place as Ratio).n : toPoint(place as Ratio, rounding, coins),
  };
};

/** Return a whole number, which a manifest writes as it is. */
function readInteger(value: unknown): Ratio {
  check(Number.isSafeInteger(value) && Math.abs(value as number) < LARGEST, "whole bounds of at most 15 digits");
  return { n: BigInt(value as number), d: 1n };
}

/** Return a ratio of at most 15 digits, which a manifest writes in lowest terms: `1/2`. */
function readRatio(value: unknown): Ratio {
  check(typeof value === "string" && /^-?\d{1,15}(\/\d{1,15})?$/.test(value), "ratio");
  const [n, d = "1"] = value.split("/") as [string, string?];
  check(BigInt(d), "ratio");
  const found = ratio(BigInt(n), BigInt(d));
  check(inFull(found) === value, "ratio in lowest terms");
  return found;
}

/** Return the exact value of a finite number, a bigint or a ratio; undefined for anything else. */
function exactNumber(answer: unknown): Ratio | undefined {
  if (typeof answer === "bigint") return { n: answer, d: 1n };
  if (typeof answer !== "number") return hasKeys(answer, "n d") ? ofRatio(answer["n"], answer["d"]) : undefined;
  if (!Number.isFinite(answer)) return undefined;
  let d = 1n;
  for (; !Number.isInteger(answer); answer *= 2) d *= 2n;
  return ratio(BigInt(answer), d);
}

const ofRatio = (n: unknown, d: unknown): Ratio | undefined =>
  typeof n === "bigint" && typeof d === "bigint" && d > 0n ? ratio(n, d) : undefined;

/** Return the point of a grid for a place between two: at random, the nearer the likelier, or the nearest. */
function toPoint(place: Ratio, rounding: "random" | "nearest", coins: Coins): bigint {
  if (rounding === "nearest") {
    const { n, d } = plus(place, { n: 1n, d: 2n });
    return n / d;
  }
  let draw = 0n;
  for (let choice = 0; choice < 4; choice++) draw = (draw << 32n) | BigInt(coins.below(2 ** 32));
  const lower = place.n / place.d;
  return lower + BigInt(draw < ((place.n % place.d) << DIGITS) / place.d);
}
