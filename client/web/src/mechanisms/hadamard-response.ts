/** Hadamard response: reports that agree with the option's row of a Hadamard matrix. */

import { bitsFor } from "../coins.js";
import { blockMechanism, MAX_OPTIONS } from "../sampling/options.js";
import { countOf, numbers } from "../sampling/spec.js";
import type { MechanismModule } from "./base.js";

export const fromSpec: MechanismModule["fromSpec"] = (spec, answers) => {
  const [keep, lie] = numbers(spec, "keep lie") as [number, number];
  const reports = 2 ** bitsFor(countOf(answers, 2, MAX_OPTIONS) + 1);
  return blockMechanism("hadamard-response/1", answers, keep, lie, {
    reports,
    blockSize: reports / 2,
    meetingSize: reports / 4,
    member: (option, place) => withParity(option + 1, place, 0),
    other: (option, place) => withParity(option + 1, place, 1),
  });
};

function parity(row: number, place: number): number {
  let left = row & place;
  for (let shift = 16; shift; shift >>= 1) left ^= left >> shift;
  return left & 1;
}

/** Return the report of this place among those whose parity with a row is as wanted. */
function withParity(row: number, place: number, wanted: number): number {
  const low = row & -row;
  const spread = place + (place & -low);
  return spread | (low * (parity(row, spread) ^ wanted));
}
