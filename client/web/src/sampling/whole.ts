/** Whole numbers, exact. */

/** Return the greatest common divisor of numbers that are not negative. */
export const greatestDivisor = (values: readonly bigint[]): bigint =>
  values.reduce((found, value) => {
    while (value) [found, value] = [value, found % value];
    return found;
  }, 0n);

/** Return the least common multiple of numbers above 0. */
export const leastMultiple = (values: readonly bigint[]): bigint =>
  values.reduce((found, value) => (found / greatestDivisor([found, value])) * value, 1n);

/** Return how many sets of k are in n. */
export function binomial(n: number, k: number): bigint {
  let ways = 1n;
  for (let place = 0; place < k; place++) ways = (ways * BigInt(n - place)) / BigInt(place + 1);
  return ways;
}

/** Return how many orders n things have. */
export const factorial = (n: number): number => (n > 1 ? n * factorial(n - 1) : 1);

/** Return how many of sorted numbers are at most a value. */
export function countUpTo(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
