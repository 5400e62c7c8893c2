/** Mechanisms for one of many options: sets of reports that speak for an option. */

import type { Coins } from "../coins.js";
import { bytesForRun } from "./runs.js";
import type { Mechanism, Stated } from "../mechanisms/base.js";
import { type Ratio, ratio } from "../ratio.js";
import { check, checkKeepAndLie, checkTotal, countOf, mask, odds } from "./spec.js";

export const MAX_OPTIONS = 1024;

/** What a preview says of a mechanism whose reports speak for several options. */
const stated = (q: Ratio, p: Ratio) => (): Stated => ({
  sentence: "option",
  chances: [q, p].map((rate) => [ratio(rate.d - rate.n, rate.d), rate]),
  namesSeveral: true,
});

/** What the reports of an option's block are, and those outside of it, by their place. */
export interface Blocks {
  readonly reports: number;
  readonly blockSize: number;
  readonly meetingSize: number;
  member(option: number, place: number): number;
  other(option: number, place: number): number;
}

/** Return a mechanism that reports `keep` to `lie` times rather a member of the answer's block. */
export function blockMechanism(id: string, answers: bigint, keep: number, lie: number, blocks: Blocks): Mechanism {
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
      // Both are found, so that no time tells which one is sent.
      const inside = blocks.member(option, Math.floor(Math.min(draw, kept - 1) / keep));
      const outside = blocks.other(option, Math.floor(Math.max(draw - kept, 0) / lie));
      return BigInt(draw < kept ? inside : outside);
    },
  };
}

/** Draw a number below `total` for each of so many bits. */
export const draws = (coins: Coins, count: number, total: number): number[] =>
  Array.from({ length: count }, () => coins.below(total));

/** Return the bits of draws below `hit` where a bit of the truth is set, and below `miss` elsewhere. */
export const told = (truth: bigint, drawn: readonly number[], hit: number, miss: number): bigint => {
  const [hits, misses] = [mask(drawn.map((draw) => draw < hit)), mask(drawn.map((draw) => draw < miss))];
  return (hits & truth) | (misses & ~truth);
};

/** Return a mechanism that tells a bit for every option: set by `hit` of `total` if true, else by `miss`. */
export function unary(id: string, answers: bigint, hit: number, miss: number, total: number): Mechanism {
  const options = countOf(answers, 2, MAX_OPTIONS);
  checkTotal(total);
  let bytes: number | undefined;
  return {
    id,
    answerKind: "choice",
    answers,
    reports: 1n << answers,
    odds: odds(BigInt(hit) * BigInt(total - miss), BigInt(miss) * BigInt(total - hit)),
    stated: stated(odds(miss, total), odds(hit, total)),
    randomize(answer, coins) {
      coins.reserve((bytes ??= bytesForRun(Array<number>(options).fill(total))));
      return told(1n << answer, draws(coins, options, total), hit, miss);
    },
  };
}

/** Return the symmetric unary encoding, which RAPPOR also keeps. */
export function symmetricUnary(answers: bigint, keep: number, lie: number): Mechanism {
  checkKeepAndLie(keep, lie);
  return unary("symmetric-unary/1", answers, keep, lie, keep + lie);
}

/** Return k-ary randomized response: the truth, or one of the others, each as likely. */
export function kAry(answers: bigint, keep: number, lie: number): Mechanism {
  const options = countOf(answers, 2, 256);
  const total = keep + (options - 1) * lie;
  checkKeepAndLie(keep, lie);
  checkTotal(total);
  const row = (on: Ratio, off: Ratio, at: number, size: number): Ratio[] =>
    Array.from({ length: size }, (_, other) => (at === other ? on : off));
  const [truth, other] = [odds(keep, total), odds(lie, total)];
  return {
    id: "k-ary-randomized-response/1",
    answerKind: "choice",
    answers,
    reports: answers,
    odds: odds(keep, lie),
    stated: () =>
      options > 32
        ? { sentence: "option", chances: [other, truth].map((rate) => [ratio(rate.d - rate.n, rate.d), rate]) }
        : { sentence: "answers", chances: Array.from({ length: options }, (_, at) => row(truth, other, at, options)) },
    randomize: (answer, coins) => moved(answer, coins.below(total), keep, lie, answers),
  };
}

/** Return the option that a draw moves one to: itself by `keep` of the draws, each other by `lie`. */
export const moved = (option: bigint, draw: number, keep: number, lie: number, options: bigint): bigint =>
  (option + BigInt(Math.max(0, Math.floor((draw - keep) / lie) + 1))) % options;

/** Check that a number is a prime of at most 1021. */
export function checkPrime(field: number): void {
  check(field >= 2 && field <= 1021, "field");
  for (let divisor = 2; divisor * divisor <= field; divisor++) check(field % divisor, "field is a prime");
}

/** Return the digits of a number, the lowest first. */
export function digits(number: number, base: number, length: number): number[] {
  return Array.from({ length }, (_, at) => Math.floor(number / base ** at) % base);
}

/** Return the inner product of two vectors in a prime field. */
export const dot = (first: readonly number[], second: readonly number[], prime: number): number =>
  first.reduce((total, value, at) => (total + value * (second[at] as number)) % prime, 0);
