import {
  fromSpec as fromSpec2
} from "../shared/OBYLJVEP.js";
import {
  fromSpec as fromSpec6
} from "../shared/5UWFB2UE.js";
import {
  fromSpec as fromSpec3
} from "../shared/TJ5FNS5E.js";
import {
  fromSpec
} from "../shared/C2KY2W7D.js";
import {
  fromSpec as fromSpec5
} from "../shared/E2L6FQ6G.js";
import {
  fromSpec as fromSpec4
} from "../shared/6RBG4RZB.js";
import {
  fromSpec as fromSpec7
} from "../shared/IFRMLJJB.js";
import "../shared/OBDUPNW4.js";
import "../shared/7UNATXEL.js";
import "../shared/RZ6CJKIU.js";
import {
  check,
  checkKeys,
  list,
  numbers,
  whole
} from "../shared/ZGTW6QBU.js";
import "../shared/QSFGJONQ.js";

// src/sampling/sha512.ts
var PRIMES = [];
for (let n = 2n; PRIMES.length < 80; n++) if (PRIMES.every((prime) => n % prime)) PRIMES.push(n);
var viewOf = (bytes2) => new DataView(bytes2.buffer);
function fractions(primes, degree) {
  const view = viewOf(new Uint8Array(8 * primes.length));
  primes.forEach((prime, at) => {
    let root = 0n;
    for (let bit = 1n << 70n; bit; bit >>= 1n) if ((root + bit) ** degree <= prime << 64n * degree) root += bit;
    view.setBigUint64(8 * at, root);
  });
  return view;
}
var START = fractions(PRIMES.slice(0, 8), 2n);
var ROUNDS = fractions(PRIMES, 3n);
var turn = (own, other, by) => own >>> by | other << 32 - by;
var sum = (...halves) => halves.reduce((total, half) => total + (half >>> 0), 0);
function put(view, at, high, low) {
  view.setUint32(at, high + Math.floor(low / 2 ** 32));
  view.setUint32(at + 4, low);
}
function sha512(message) {
  const padded = new Uint8Array((message.length + 16 >> 7) + 1 << 7);
  padded.set(message);
  padded[message.length] = 128;
  viewOf(padded).setBigUint64(padded.length - 8, BigInt(message.length) * 8n);
  const state = viewOf(new Uint8Array(START.buffer.slice(0)));
  for (let block = 0; block < padded.length; block += 128) {
    const words = new Uint8Array(640);
    words.set(padded.subarray(block, block + 128));
    const mixed = new Uint8Array(state.buffer.slice(0));
    const [all, eight] = [viewOf(words), viewOf(mixed)];
    for (let at = 0; at < 640; at += 8) {
      if (at >= 128) extend(all, at);
      const made = (half) => mix(eight, half, sum(ROUNDS.getUint32(at + half), all.getUint32(at + half)));
      const [high, low] = [made(0), made(4)];
      mixed.copyWithin(8, 0, 56);
      put(eight, 0, high[0], low[0]);
      put(eight, 32, high[1], low[1]);
    }
    for (let at = 0; at < 64; at += 8) state.setBigUint64(at, state.getBigUint64(at) + eight.getBigUint64(at));
  }
  return state;
}
function extend(words, at) {
  const word = (back, half) => words.getUint32(at - 8 * back + half);
  const made = (half) => {
    const [a, b, c, d] = [word(15, half), word(15, 4 - half), word(2, half), word(2, 4 - half)];
    const first = turn(a, b, 1) ^ turn(a, b, 8) ^ turn(a, half && b, 7);
    const second = turn(c, d, 19) ^ turn(d, c, 61) ^ turn(c, half && d, 6);
    return sum(word(16, half), first, word(7, half), second);
  };
  put(words, at, made(0), made(4));
}
function mix(state, half, added) {
  const word = (place, at = half) => state.getUint32(8 * place + at);
  const [a, b, c, e, f, g] = [word(0), word(1), word(2), word(4), word(5), word(6)];
  const [over, under] = [word(0, 4 - half), word(4, 4 - half)];
  const one = added + sum(word(7), turn(e, under, 14) ^ turn(e, under, 18) ^ turn(under, e, 41), e & f ^ ~e & g);
  const two = sum(turn(a, over, 28) ^ turn(over, a, 34) ^ turn(over, a, 39), a & b ^ a & c ^ b & c);
  return [one + two, word(3) + one];
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
    return sha512(Uint8Array.from([...head, ...bytes(number, width)])).getBigUint64(8 * (row & 7), true);
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
//# sourceMappingURL=prefix-extending.js.map
