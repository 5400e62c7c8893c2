/** Exact random choices from the browser's cryptographic random source. */

/** Returns the asked number of random bytes. */
export type ByteSource = (count: number) => Uint8Array;

/** Draw from `crypto.getRandomValues`, which is asked for at most 65,536 bytes at once. */
export const realBytes: ByteSource = (count) => {
  const bytes = new Uint8Array(count);
  for (let at = 0; at < count; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  return bytes;
};

/** A short-lived run of fair coins: make a new one for every answer. */
export class Coins {
  private left = 0n;
  private store = 0n;

  constructor(private readonly source: ByteSource = realBytes) {}

  /** Toss `count` fair coins; return their bits as a number, the first one lowest. */
  bits(count: number): bigint {
    while (this.left < count) {
      for (const byte of this.source(Math.ceil(count / 8))) {
        this.store |= BigInt(byte) << this.left;
        this.left += 8n;
      }
    }
    const taken = this.store & ((1n << BigInt(count)) - 1n);
    this.store >>= BigInt(count);
    this.left -= BigInt(count);
    return taken;
  }

  /** Choose one of 0, ..., n - 1, each with probability exactly 1 / n. */
  below(n: bigint): bigint {
    const count = (n - 1n).toString(2).length;
    for (;;) {
      const choice = this.bits(n > 1n ? count : 0);
      if (choice < n) return choice;
    }
  }
}
