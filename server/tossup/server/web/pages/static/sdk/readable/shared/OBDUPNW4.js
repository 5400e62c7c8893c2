import {
  bytesForRun
} from "./7UNATXEL.js";
import {
  check,
  checkKeepAndLie,
  checkTotal,
  countOf,
  mask,
  odds
} from "./ZGTW6QBU.js";
import {
  ratio
} from "./QSFGJONQ.js";

// src/sampling/options.ts
var MAX_OPTIONS = 1024;
var stated = (q, p) => () => ({
  sentence: "option",
  chances: [q, p].map((rate) => [ratio(rate.d - rate.n, rate.d), rate]),
  namesSeveral: true
});
function blockMechanism(id, answers, keep, lie, blocks) {
  const { reports, blockSize, meetingSize } = blocks;
  const kept = keep * blockSize;
  const total = kept + lie * (reports - blockSize);
  countOf(answers, 2, MAX_OPTIONS);
  checkKeepAndLie(keep, lie);
  checkTotal(total);
  return {
    id,
    answerKind: "choice",
    answers,
    reports: BigInt(reports),
    odds: odds(keep, lie),
    stated: stated(odds(keep * meetingSize + lie * (blockSize - meetingSize), total), odds(kept, total)),
    randomize(answer, coins) {
      const [option, draw] = [Number(answer), coins.below(total)];
      const inside = blocks.member(option, Math.floor(Math.min(draw, kept - 1) / keep));
      const outside = blocks.other(option, Math.floor(Math.max(draw - kept, 0) / lie));
      return BigInt(draw < kept ? inside : outside);
    }
  };
}
var draws = (coins, count, total) => Array.from({ length: count }, () => coins.below(total));
var told = (truth, drawn, hit, miss) => {
  const [hits, misses] = [mask(drawn.map((draw) => draw < hit)), mask(drawn.map((draw) => draw < miss))];
  return hits & truth | misses & ~truth;
};
function unary(id, answers, hit, miss, total) {
  const options = countOf(answers, 2, MAX_OPTIONS);
  checkTotal(total);
  let bytes;
  return {
    id,
    answerKind: "choice",
    answers,
    reports: 1n << answers,
    odds: odds(BigInt(hit) * BigInt(total - miss), BigInt(miss) * BigInt(total - hit)),
    stated: stated(odds(miss, total), odds(hit, total)),
    randomize(answer, coins) {
      coins.reserve(bytes ??= bytesForRun(Array(options).fill(total)));
      return told(1n << answer, draws(coins, options, total), hit, miss);
    }
  };
}
function symmetricUnary(answers, keep, lie) {
  checkKeepAndLie(keep, lie);
  return unary("symmetric-unary/1", answers, keep, lie, keep + lie);
}
function kAry(answers, keep, lie) {
  const options = countOf(answers, 2, 256);
  const total = keep + (options - 1) * lie;
  checkKeepAndLie(keep, lie);
  checkTotal(total);
  const row = (on, off, at, size) => Array.from({ length: size }, (_, other2) => at === other2 ? on : off);
  const [truth, other] = [odds(keep, total), odds(lie, total)];
  return {
    id: "k-ary-randomized-response/1",
    answerKind: "choice",
    answers,
    reports: answers,
    odds: odds(keep, lie),
    stated: () => options > 32 ? { sentence: "option", chances: [other, truth].map((rate) => [ratio(rate.d - rate.n, rate.d), rate]) } : { sentence: "answers", chances: Array.from({ length: options }, (_, at) => row(truth, other, at, options)) },
    randomize: (answer, coins) => moved(answer, coins.below(total), keep, lie, answers)
  };
}
var moved = (option, draw, keep, lie, options) => (option + BigInt(Math.max(0, Math.floor((draw - keep) / lie) + 1))) % options;
function checkPrime(field) {
  check(field >= 2 && field <= 1021, "field");
  for (let divisor = 2; divisor * divisor <= field; divisor++) check(field % divisor, "field is a prime");
}
function digits(number, base, length) {
  return Array.from({ length }, (_, at) => Math.floor(number / base ** at) % base);
}
var dot = (first, second, prime) => first.reduce((total, value, at) => (total + value * second[at]) % prime, 0);

export {
  MAX_OPTIONS,
  blockMechanism,
  draws,
  told,
  unary,
  symmetricUnary,
  kAry,
  moved,
  checkPrime,
  digits,
  dot
};
//# sourceMappingURL=OBDUPNW4.js.map
