/** SHA-512 (FIPS 180-4), which WebCrypto only computes later, and a report is made at once. */

const MASK = (1n << 64n) - 1n;

const PRIMES: bigint[] = [];
for (let n = 2n; PRIMES.length < 80; n++) if (PRIMES.every((prime) => n % prime)) PRIMES.push(n);

/** Return the first 64 bits after the point of a root of a prime: the standard's constants. */
function fraction(prime: bigint, degree: bigint): bigint {
  const power = prime << (64n * degree);
  let root = 0n;
  for (let bit = 1n << 70n; bit; bit >>= 1n) if ((root + bit) ** degree <= power) root += bit;
  return root & MASK;
}

const START = PRIMES.slice(0, 8).map((prime) => fraction(prime, 2n));
const ROUNDS = PRIMES.map((prime) => fraction(prime, 3n));

const turn = (word: bigint, by: number): bigint => ((word >> BigInt(by)) | (word << BigInt(64 - by))) & MASK;
const turns = (word: bigint, one: number, two: number, three: number): bigint =>
  turn(word, one) ^ turn(word, two) ^ turn(word, three);

/** Return the eight words of the digest. */
export function sha512(message: Uint8Array): bigint[] {
  const padded = new Uint8Array((((message.length + 16) >> 7) + 1) << 7);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(message.length) * 8n);
  let state = START;
  for (let block = 0; block < padded.length; block += 128) {
    const words: bigint[] = [];
    let [a, b, c, d, e, f, g, h] = state as [bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint];
    ROUNDS.forEach((constant, at) => {
      const before = (places: number): bigint => words[at - places] as bigint;
      const word =
        at < 16
          ? view.getBigUint64(block + 8 * at)
          : (before(16) +
              (turn(before(15), 1) ^ turn(before(15), 8) ^ (before(15) >> 7n)) +
              before(7) +
              (turn(before(2), 19) ^ turn(before(2), 61) ^ (before(2) >> 6n))) &
            MASK;
      words.push(word);
      const one = h + turns(e, 14, 18, 41) + ((e & f) ^ (~e & g)) + constant + word;
      const two = turns(a, 28, 34, 39) + ((a & b) ^ (a & c) ^ (b & c));
      [a, b, c, d, e, f, g, h] = [(one + two) & MASK, a, b, c, (d + one) & MASK, e, f, g];
    });
    const mixed = [a, b, c, d, e, f, g, h];
    state = state.map((word, at) => (word + (mixed[at] as bigint)) & MASK);
  }
  return state;
}
