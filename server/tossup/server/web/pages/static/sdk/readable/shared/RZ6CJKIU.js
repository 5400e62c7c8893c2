// src/coins.ts
var realBytes = (count) => {
  const bytes = new Uint8Array(count);
  for (let at = 0; at < count; at += 65536) crypto.getRandomValues(bytes.subarray(at, at + 65536));
  return bytes;
};
var bitsFor = (n) => n > 1 ? (n - 1).toString(2).length : 0;
var known = {};
function bytesFor(n) {
  const bits = bitsFor(n);
  const failing = BigInt(2 ** bits - n);
  let tries = 1;
  const count = () => {
    for (let missed = failing; missed << 128n > 1n << BigInt(bits * tries); missed *= failing) tries += 1;
    return Math.ceil(bits * tries / 8) || 1;
  };
  return known[n] ??= count();
}
var Coins = class {
  constructor(source = realBytes) {
    this.source = source;
  }
  source;
  left = 0;
  store = 0n;
  /** Draw so many bytes at once, for a run of choices that follows. */
  reserve(count) {
    const fresh = this.source(count).reduceRight((later, byte) => later << 8n | BigInt(byte), 0n);
    this.store |= fresh << BigInt(this.left);
    this.left += 8 * count;
  }
  /**
   * Toss `count` fair coins; return their bits as a number, the first one lowest.
   *
   * @param draw How many fresh bytes to draw whenever too few bits are left.
   */
  bits(count, draw = Math.ceil(count / 8)) {
    while (this.left < count) this.reserve(draw);
    const taken = BigInt.asUintN(count, this.store);
    this.store >>= BigInt(count);
    this.left -= count;
    return taken;
  }
  /** Choose one of 0, ..., n - 1, each with probability exactly 1 / n; n is at most 2 ** 32. */
  below(n) {
    for (; ; ) {
      const choice = Number(this.bits(bitsFor(n), bytesFor(n)));
      if (choice < n) return choice;
    }
  }
};

export {
  bitsFor,
  bytesFor,
  Coins
};
//# sourceMappingURL=RZ6CJKIU.js.map
