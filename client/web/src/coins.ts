/**
 * Exact random choices from the browser's cryptographic random source.
 *
 * Bits are read least significant first, and as many bytes are drawn for a choice as Python's
 * `Coins` draws: the same bytes give the same choices, which the vectors of the tests hold.
 */

/** Returns the asked number of random bytes. */
export type ByteSource = (count: number) => Uint8Array;

/** Draw from `crypto.getRandomValues`, which is asked for at most 65,536 bytes at once. */
export const realBytes: ByteSource = (count) => {
  const bytes = new Uint8Array(count);
  for (let at = 0; at < count; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  return bytes;
};

/** Return how many bits write n - 1: a choice among n values reads so many. */
export const bitsFor = (n: number): number => (n > 1 ? (n - 1).toString(2).length : 0);

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

let known = [0, 0];

/** Return how many bytes a single choice among n values draws: at least one. */
export function bytesFor(n: number): number {
  // A mechanism chooses among the same number again and again.
  if (known[0] !== n) known = [n, bytesForRun([n]) || 1];
  return known[1] as number;
}

/** A short-lived run of fair coins: make a new one for every answer. */
export class Coins {
  private left = 0;
  private store = 0n;

  constructor(private readonly source: ByteSource = realBytes) {}

  /** Draw so many bytes at once, for a run of choices that follows. */
  reserve(count: number): void {
    const fresh = this.source(count).reduceRight((later, byte) => (later << 8n) | BigInt(byte), 0n);
    this.store |= fresh << BigInt(this.left);
    this.left += 8 * count;
  }

  /** Toss `count` fair coins; return their bits as a number, the first one lowest. */
  bits(count: number): bigint {
    return this.take(count, Math.ceil(count / 8));
  }

  /** Choose one of 0, ..., n - 1, each with probability exactly 1 / n; n is at most 2 ** 32. */
  below(n: number): number {
    for (;;) {
      const choice = Number(this.take(bitsFor(n), bytesFor(n)));
      if (choice < n) return choice;
    }
  }

  /** Return the next bits, drawing `draw` fresh bytes whenever too few are left. */
  private take(count: number, draw: number): bigint {
    while (this.left < count) this.reserve(draw);
    const taken = BigInt.asUintN(count, this.store);
    this.store >>= BigInt(count);
    this.left -= count;
    return taken;
  }
}
