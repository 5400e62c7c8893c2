/** Runs of choices, whose bytes are drawn at once. */

import { bitsFor } from "../coins.js";

/**
 * Return how many bytes a run of choices draws at once: so many that it needs more with
 * probability at most 2 ** -128. The bytes drawn are thus a constant, whatever the answer.
 *
 * With m choices and m + s attempts a run fails only if s + 1 attempts do: by the union bound with
 * probability at most C(m + s, s + 1) c ** (s + 1), where c is the largest chance of one to fail.
 *
 * @param sizes Among how many values each choice is, up to 2 ** 32.
 */
export function bytesForRun(sizes: readonly number[]): number {
  const bits = Math.max(...sizes.map(bitsFor));
  // Chances to fail have a power of 2 below; over the largest one they compare as integers.
  const failing = Math.max(...sizes.map((n) => (2 ** bitsFor(n) - n) * 2 ** (bits - bitsFor(n))));
  let spare = 0;
  let ways = BigInt(sizes.length) << 128n;
  for (let missed = BigInt(failing); ways * missed > 1n << BigInt(bits * (spare + 1)); missed *= BigInt(failing)) {
    spare += 1;
    ways = (ways * BigInt(sizes.length + spare)) / BigInt(spare + 1);
  }
  return Math.ceil((bits * (sizes.length + spare)) / 8);
}
