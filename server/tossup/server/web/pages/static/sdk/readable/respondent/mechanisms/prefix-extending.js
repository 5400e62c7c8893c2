import {
  fromSpec as fromSpec2
} from "../shared/GEET7NX6.js";
import {
  fromSpec as fromSpec6
} from "../shared/EQPHFTGG.js";
import {
  fromSpec as fromSpec3
} from "../shared/7GF5IMKH.js";
import {
  fromSpec
} from "../shared/TFV63RYM.js";
import {
  fromSpec as fromSpec5
} from "../shared/VN5UF7XL.js";
import {
  fromSpec as fromSpec4
} from "../shared/MSOT26IJ.js";
import {
  fromSpec as fromSpec7
} from "../shared/7PMBIZ6E.js";
import "../shared/LKM5Q2WV.js";
import "../shared/M3P4WGVB.js";
import "../shared/ILRTPO4M.js";
import {
  check,
  checkKeys,
  list,
  numbers,
  whole
} from "../shared/6JNFSEP3.js";
import"../page/page.js";

// src/sampling/sha512.ts
var MASK = (1n << 64n) - 1n;
var PRIMES = [];
for (let n = 2n; PRIMES.length < 80; n++) if (PRIMES.every((prime) => n % prime)) PRIMES.push(n);
function fraction(prime, degree) {
  const power = prime << 64n * degree;
  let root = 0n;
  for (let bit = 1n << 70n; bit; bit >>= 1n) if ((root + bit) ** degree <= power) root += bit;
  return root & MASK;
}
var START = PRIMES.slice(0, 8).map((prime) => fraction(prime, 2n));
var ROUNDS = PRIMES.map((prime) => fraction(prime, 3n));
var turn = (word, by) => (word >> BigInt(by) | word << BigInt(64 - by)) & MASK;
var turns = (word, one, two, three) => turn(word, one) ^ turn(word, two) ^ turn(word, three);
function sha512(message) {
  const padded = new Uint8Array((message.length + 16 >> 7) + 1 << 7);
  padded.set(message);
  padded[message.length] = 128;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(message.length) * 8n);
  let state = START;
  for (let block = 0; block < padded.length; block += 128) {
    const words = [];
    let [a, b, c, d, e, f, g, h] = state;
    ROUNDS.forEach((constant, at) => {
      const before = (places) => words[at - places];
      const word = at < 16 ? view.getBigUint64(block + 8 * at) : before(16) + (turn(before(15), 1) ^ turn(before(15), 8) ^ before(15) >> 7n) + before(7) + (turn(before(2), 19) ^ turn(before(2), 61) ^ before(2) >> 6n) & MASK;
      words.push(word);
      const one = h + turns(e, 14, 18, 41) + (e & f ^ ~e & g) + constant + word;
      const two = turns(a, 28, 34, 39) + (a & b ^ a & c ^ b & c);
      [a, b, c, d, e, f, g, h] = [one + two & MASK, a, b, c, d + one & MASK, e, f, g];
    });
    const mixed = [a, b, c, d, e, f, g, h];
    state = state.map((word, at) => word + mixed[at] & MASK);
  }
  return state;
}

// src/mechanisms/prefix-extending.ts
var ORACLES = {
  "projective-geometry-response/1": fromSpec3,
  "hadamard-response/1": fromSpec7,
  "local-hashing/1": fromSpec5,
  "k-ary-randomized-response/1": fromSpec,
  "subset-selection/1": fromSpec2,
  "symmetric-unary/1": fromSpec6,
  "optimized-unary/1": fromSpec4
};
var MASKS = ["subset-selection/1", "symmetric-unary/1", "optimized-unary/1"];
var NAME = "prefix-extending/1";
var MOST = 1 << 16;
var fromSpec8 = (spec, answers) => {
  checkKeys(spec, "characters lengths rows salt buckets oracle");
  const { lengths: given, oracle: stated, ...rest } = spec;
  const [characters, rows, salt, buckets] = numbers(rest, "characters rows salt buckets");
  whole(characters, "characters", 1, MOST - 1);
  whole(rows, "rows", 1, 64);
  whole(salt, "salt", 0, 2 ** 53 - 1);
  const lengths = list(given, "lengths", 1, 64);
  lengths.forEach((length2, level) => whole(length2, "lengths grow", 1 + (lengths[level - 1] ?? 0), 64));
  const [longest, levels] = [lengths[lengths.length - 1], lengths.length + 1];
  const base = BigInt(characters + 1);
  const upTo = [0, ...lengths, longest];
  const length = (level) => upTo[level + 1];
  const step = (level) => BigInt(length(level) - upTo[level]);
  for (let level = 0; level < levels; level++) check(base ** step(level) <= MOST, "blocks");
  const name = `${stated?.["name"]}`;
  const make = Object.hasOwn(ORACLES, name) ? ORACLES[name] : void 0;
  check(make, "oracle");
  const oracle = make(stated, BigInt(buckets));
  const slots = levels * rows;
  check(BigInt(slots) * (MASKS.includes(name) ? BigInt(buckets + 1) : oracle.reports) <= MOST, "counters");
  const all = base ** BigInt(longest);
  check(all === answers, "answers");
  const width = Math.ceil(all.toString(2).length / 8);
  const hashed = (number, level, part, row) => {
    const head = [...new TextEncoder().encode(NAME), ...bytes(BigInt(salt), 8), level, part, row >> 3];
    const word = sha512(Uint8Array.from([...head, ...bytes(number, width)]))[row & 7];
    return bytes(word, 8).reduce((found, byte) => found << 8n | BigInt(byte), 0n);
  };
  const bucket = (answer, level, row) => {
    const prefix = answer / base ** BigInt(longest - length(level));
    const blocks = base ** step(level);
    return (hashed(prefix / blocks, level, 0, row) + hashed(prefix % blocks, level, 1, row)) % BigInt(buckets);
  };
  return {
    id: NAME,
    answerKind: "text",
    answers,
    reports: BigInt(slots) * oracle.reports,
    odds: oracle.odds,
    isFor: (...sizes) => sizes[0] === characters && sizes[1] === longest,
    stated: () => ({ sentence: "report", chances: [] }),
    randomize(answer, coins) {
      const slot = coins.below(slots);
      const found = bucket(answer, Math.floor(slot / rows), slot % rows);
      return BigInt(slot) * oracle.reports + oracle.randomize(found, coins);
    }
  };
};
var bytes = (value, width) => Array.from({ length: width }, (_, at) => Number(value >> BigInt(8 * at) & 255n));
export {
  fromSpec8 as fromSpec
};
