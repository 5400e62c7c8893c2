/**
 * Exact random choices from the browser's cryptographic random source.
 *
 * Bits are read least significant first, and as many bytes are drawn for a choice as Python's
 * `Coins` draws: the same bytes give the same choices, which the vectors of the tests hold.
 */

/** Returns the asked number of random bytes. */
export type ByteSource = (count: number) => Uint8Array;

/** Draw from `crypto.getRandomValues`, which is asked for at most 65,536 bytes at once. */
const realBytes: ByteSource = (count) => {
  const bytes = new Uint8Array(count);
  for (let at = 0; at < count; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  return bytes;
};

/** Return how many bits write n - 1: a choice among n values reads so many. */
export const bitsFor = (n: number): number => (n > 1 ? (n - 1).toString(2).length : 0);

const known: Record<number, number> = {};

/**
 * Return how many bytes a single choice among n values draws: at least one, and so many that it
 * needs more with probability at most 2 ** -128. `bytesForRun` finds the same for one choice.
 */
export function bytesFor(n: number): number {
  const bits = bitsFor(n);
  const failing = BigInt(2 ** bits - n);
  let tries = 1;
  const count = (): number => {
    for (let missed = failing; missed << 128n > 1n << BigInt(bits * tries); missed *= failing) tries += 1;
    return Math.ceil((bits * tries) / 8) || 1;
  };
  return (known[n] ??= count()); // a mechanism chooses among the same number again and again
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

  /**
   * Toss `count` fair coins; return their bits as a number, the first one lowest.
   *
   * @param draw How many fresh bytes to draw whenever too few bits are left.
   */
  bits(count: number, draw = Math.ceil(count / 8)): bigint {
    while (this.left < count) this.reserve(draw);
    const taken = BigInt.asUintN(count, this.store);
    this.store >>= BigInt(count);
    this.left -= count;
    return taken;
  }

  /** Choose one of 0, ..., n - 1, each with probability exactly 1 / n; n is at most 2 ** 32. */
  below(n: number): number {
    for (;;) {
      const choice = Number(this.bits(bitsFor(n), bytesFor(n)));
      if (choice < n) return choice;
    }
  }
}
