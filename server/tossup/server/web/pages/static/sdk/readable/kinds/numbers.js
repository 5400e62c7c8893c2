import {
  check
} from "../shared/ZGTW6QBU.js";
import {
  hasKeys,
  inFull,
  isAbove,
  plus,
  ratio
} from "../shared/QSFGJONQ.js";

// src/kinds/numbers.ts
var LARGEST = 10n ** 15n;
var DIGITS = 128n;
var minus = (a, b) => plus(a, { n: -b.n, d: b.d });
var over = (a, b) => ratio(a.n * b.d, a.d * b.n);
var fromJson = (value, options, key) => {
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
      if (!number || isWhole && number.d !== 1n) return void 0;
      const clipped = isAbove(low, number) ? low : isAbove(number, high) ? high : number;
      return over(minus(clipped, low), step);
    },
    index: (place, { rounding = "random" }, coins) => isWhole ? place.n : toPoint(place, rounding, coins)
  };
};
function readInteger(value) {
  check(Number.isSafeInteger(value) && Math.abs(value) < LARGEST, "whole bounds of at most 15 digits");
  return { n: BigInt(value), d: 1n };
}
function readRatio(value) {
  check(typeof value === "string" && /^-?\d{1,15}(\/\d{1,15})?$/.test(value), "ratio");
  const [n, d = "1"] = value.split("/");
  check(BigInt(d), "ratio");
  const found = ratio(BigInt(n), BigInt(d));
  check(inFull(found) === value, "ratio in lowest terms");
  return found;
}
function exactNumber(answer) {
  if (typeof answer === "bigint") return { n: answer, d: 1n };
  if (typeof answer !== "number") return hasKeys(answer, "n d") ? ofRatio(answer["n"], answer["d"]) : void 0;
  if (!Number.isFinite(answer)) return void 0;
  let d = 1n;
  for (; !Number.isInteger(answer); answer *= 2) d *= 2n;
  return ratio(BigInt(answer), d);
}
var ofRatio = (n, d) => typeof n === "bigint" && typeof d === "bigint" && d > 0n ? ratio(n, d) : void 0;
function toPoint(place, rounding, coins) {
  if (rounding === "nearest") {
    const { n, d } = plus(place, { n: 1n, d: 2n });
    return n / d;
  }
  let draw = 0n;
  for (let choice = 0; choice < 4; choice++) draw = draw << 32n | BigInt(coins.below(2 ** 32));
  const lower = place.n / place.d;
  return lower + BigInt(draw < (place.n % place.d << DIGITS) / place.d);
}
export {
  fromJson
};
//# sourceMappingURL=numbers.js.map
