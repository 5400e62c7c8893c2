/** What mechanisms check of their parameters, as Python's `from_spec` and `__post_init__` do. */

import { type Ratio, ratio } from "../ratio.js";
import { refuseManifest } from "../refusal.js";
import { hasKeys } from "../wire.js";

/** Largest sum of weights: what one choice is drawn from. */
export const MOST = 2 ** 32;

export type Spec = Record<string, unknown>;

/** Refuse a mechanism, by the name of what is wrong in it. */
export function check(isRight: unknown, what: string): asserts isRight {
  if (!isRight) refuseManifest(`mechanism: ${what}`);
}

/** Return a whole number from least to most. */
export function whole(value: unknown, what: string, least = -Infinity, most = Infinity): number {
  check(Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most, what);
  return value as number;
}

/** Check that a mechanism has exactly these parameters, in this order. */
export function checkKeys(spec: Spec, names: string): void {
  check(hasKeys(spec, names ? `name ${names}` : "name"), names || "no parameters");
}

/** Return the parameters of a mechanism, which are exactly these whole numbers, in this order. */
export function numbers(spec: Spec, names: string): number[] {
  checkKeys(spec, names);
  return names.split(" ").map((name) => whole(spec[name], name));
}

/** Return a list of whole numbers. */
export function list(value: unknown, what: string, least: number, most: number): number[] {
  check(Array.isArray(value) && value.length >= least && value.length <= most, what);
  return value.map((part) => whole(part, what));
}

/** Return how many answers there are, if it is a number from least to most. */
export const countOf = (answers: bigint, least: number, most: number): number => whole(Number(answers), "answers", least, most);

/** Check that weights sum to no more than one choice is drawn from. */
export const checkTotal = (total: number): void => check(total <= MOST, "weights sum to more than 2 ** 32");

/** Check two weights: the truth is likelier than a lie, and a lie is possible. */
export const checkKeepAndLie = (keep: number, lie: number): void => check(keep > lie && lie >= 1, "keep > lie >= 1");

/** Check two weights that are also in lowest terms. */
export function checkRatio(keep: number, lie: number): void {
  checkKeepAndLie(keep, lie);
  check(odds(keep, lie).d === BigInt(lie), "keep and lie in lowest terms");
}

/** Return a ratio of two whole numbers, in lowest terms. */
export const odds = (n: number | bigint, d: number | bigint): Ratio => ratio(BigInt(n), BigInt(d));

/** Return bits as a number, the first one lowest; each is drawn, whatever the others are. */
export const mask = (bits: readonly boolean[]): bigint =>
  BigInt(`0b${bits.map(Number).reverse().join("") || 0}`);

/** Return a ratio multiplied by itself. */
export const power = (a: Ratio, exponent: number): Ratio => ({ n: a.n ** BigInt(exponent), d: a.d ** BigInt(exponent) });
