/** Prefix extending, for texts: a prefix is hashed into a bucket, and an oracle reports the bucket. */

import { check, checkKeys, list, numbers, type Spec, whole } from "../sampling/spec.js";
import { sha512 } from "../sampling/sha512.js";
import type { MechanismModule } from "./base.js";
import { fromSpec as hadamard } from "./hadamard-response.js";
import { fromSpec as kAry } from "./k-ary-randomized-response.js";
import { fromSpec as localHashing } from "./local-hashing.js";
import { fromSpec as optimizedUnary } from "./optimized-unary.js";
import { fromSpec as projective } from "./projective-geometry-response.js";
import { fromSpec as subset } from "./subset-selection.js";
import { fromSpec as symmetricUnary } from "./symmetric-unary.js";

const ORACLES: Readonly<Record<string, MechanismModule["fromSpec"]>> = {
  "projective-geometry-response/1": projective,
  "hadamard-response/1": hadamard,
  "local-hashing/1": localHashing,
  "k-ary-randomized-response/1": kAry,
  "subset-selection/1": subset,
  "symmetric-unary/1": symmetricUnary,
  "optimized-unary/1": optimizedUnary,
};
/** Oracles whose reports are masks: they are counted by option, and once for all. */
const MASKS = ["subset-selection/1", "symmetric-unary/1", "optimized-unary/1"];
const NAME = "prefix-extending/1";
const MOST = 1 << 16;

export const fromSpec: MechanismModule["fromSpec"] = (spec, answers) => {
  checkKeys(spec, "characters lengths rows salt buckets oracle");
  const { lengths: given, oracle: stated, ...rest } = spec;
  const [characters, rows, salt, buckets] = numbers(rest, "characters rows salt buckets") as [number, number, number, number];
  whole(characters, "characters", 1, MOST - 1);
  whole(rows, "rows", 1, 64);
  whole(salt, "salt", 0, 2 ** 53 - 1);
  const lengths = list(given, "lengths", 1, 64);
  lengths.forEach((length, level) => whole(length, "lengths grow", 1 + (lengths[level - 1] ?? 0), 64));
  const [longest, levels] = [lengths[lengths.length - 1] as number, lengths.length + 1];
  const base = BigInt(characters + 1);
  const upTo = [0, ...lengths, longest];
  const length = (level: number): number => upTo[level + 1] as number;
  const step = (level: number): bigint => BigInt(length(level) - (upTo[level] as number));
  for (let level = 0; level < levels; level++) check(base ** step(level) <= MOST, "blocks");
  const name = `${(stated as Spec | null)?.["name"]}`;
  const make = Object.hasOwn(ORACLES, name) ? ORACLES[name] : undefined;
  check(make, "oracle");
  const oracle = make(stated as Spec, BigInt(buckets));
  const slots = levels * rows;
  check(BigInt(slots) * (MASKS.includes(name) ? BigInt(buckets + 1) : oracle.reports) <= MOST, "counters");
  const all = base ** BigInt(longest);
  check(all === answers, "answers");
  const width = Math.ceil(all.toString(2).length / 8);

  /** Return the hash of a part of a prefix in a row: eight rows share a digest. */
  const hashed = (number: bigint, level: number, part: number, row: number): bigint => {
    const head = [...new TextEncoder().encode(NAME), ...bytes(BigInt(salt), 8), level, part, row >> 3];
    return sha512(Uint8Array.from([...head, ...bytes(number, width)])).getBigUint64(8 * (row & 7), true);
  };
  const bucket = (answer: bigint, level: number, row: number): bigint => {
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
    },
  };
};

/** Return the bytes of a number, the lowest first. */
const bytes = (value: bigint, width: number): number[] =>
  Array.from({ length: width }, (_, at) => Number((value >> BigInt(8 * at)) & 255n));
