/** Local hashing: a linear function on a prime field, and the option's value by it. */

import { blockMechanism, checkPrime, digits, dot, MAX_OPTIONS } from "../sampling/options.js";
import { countOf, numbers } from "../sampling/spec.js";
import type { MechanismModule } from "./base.js";

export const fromSpec: MechanismModule["fromSpec"] = (spec, answers) => {
  const [field, keep, lie] = numbers(spec, "field keep lie") as [number, number, number];
  checkPrime(field);
  const options = countOf(answers, 2, MAX_OPTIONS);
  let length = 1;
  while (field ** length < options) length++;
  const hash = (hashing: number, option: number): number =>
    dot(digits(hashing, field, length), digits(option, field, length), field);
  return blockMechanism("local-hashing/1", answers, keep, lie, {
    reports: field ** (length + 1),
    blockSize: field ** length,
    meetingSize: field ** (length - 1),
    member: (option, place) => place * field + hash(place, option),
    other(option, place) {
      const hashing = Math.floor(place / (field - 1));
      return hashing * field + ((hash(hashing, option) + 1 + (place % (field - 1))) % field);
    },
  });
};
