import {
  hasKeys,
  ratio,
  refuseManifest
} from "./QSFGJONQ.js";

// src/sampling/spec.ts
var MOST = 2 ** 32;
function check(isRight, what) {
  if (!isRight) refuseManifest(`mechanism: ${what}`);
}
function whole(value, what, least = -Infinity, most = Infinity) {
  check(Number.isSafeInteger(value) && value >= least && value <= most, what);
  return value;
}
function checkKeys(spec, names) {
  check(hasKeys(spec, names ? `name ${names}` : "name"), names || "no parameters");
}
function numbers(spec, names) {
  checkKeys(spec, names);
  return names.split(" ").map((name) => whole(spec[name], name));
}
function list(value, what, least, most) {
  check(Array.isArray(value) && value.length >= least && value.length <= most, what);
  return value.map((part) => whole(part, what));
}
var countOf = (answers, least, most) => whole(Number(answers), "answers", least, most);
var checkTotal = (total) => check(total <= MOST, "weights sum to more than 2 ** 32");
var checkKeepAndLie = (keep, lie) => check(keep > lie && lie >= 1, "keep > lie >= 1");
function checkRatio(keep, lie) {
  checkKeepAndLie(keep, lie);
  check(odds(keep, lie).d === BigInt(lie), "keep and lie in lowest terms");
}
var odds = (n, d) => ratio(BigInt(n), BigInt(d));
var mask = (bits) => BigInt(`0b${bits.map(Number).reverse().join("") || 0}`);
var power = (a, exponent) => ({ n: a.n ** BigInt(exponent), d: a.d ** BigInt(exponent) });

export {
  MOST,
  check,
  whole,
  checkKeys,
  numbers,
  list,
  countOf,
  checkTotal,
  checkKeepAndLie,
  checkRatio,
  odds,
  mask,
  power
};
//# sourceMappingURL=ZGTW6QBU.js.map
