/** Ratios of integers, exact: every probability and all odds are one. */

export interface Ratio {
  /** Numerator. */
  readonly n: bigint;
  /** Denominator, above 0, with nothing in common with the numerator. */
  readonly d: bigint;
}

export const ONE: Ratio = { n: 1n, d: 1n };
export const ZERO: Ratio = { n: 0n, d: 1n };

/** Return n / d in lowest terms. */
export function ratio(n: bigint, d = 1n): Ratio {
  let [a, b] = [n < 0n ? -n : n, d];
  while (b) [a, b] = [b, a % b];
  return { n: n / a, d: d / a };
}

export const times = (a: Ratio, b: Ratio): Ratio => ratio(a.n * b.n, a.d * b.d);
export const plus = (a: Ratio, b: Ratio): Ratio => ratio(a.n * b.d + b.n * a.d, a.d * b.d);
export const isAbove = (a: Ratio, b: Ratio): boolean => a.n * b.d > b.n * a.d;

/** Return all digits, as a manifest writes them: `3` or `5/2`. */
export const inFull = (a: Ratio): string => (a.d === 1n ? `${a.n}` : `${a.n}/${a.d}`);

/** What an answer costs at most: odds, and the chance for which they are not promised. */
export interface Cost {
  readonly odds: Ratio;
  readonly delta?: Ratio;
}

/** Return what these cost together, exactly: odds multiply, chances add up. */
export const spent = (costs: readonly Cost[]): Required<Cost> => ({
  odds: costs.reduce((product, { odds }) => times(product, odds), ONE),
  delta: costs.reduce((sum, { delta = ZERO }) => plus(sum, delta), ZERO),
});
