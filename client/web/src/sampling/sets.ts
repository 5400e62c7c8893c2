/** Mechanisms for several options at once, whose answers are masks. */

import type { Mechanism, Stated } from "../mechanisms/base.js";
import { type Ratio, ratio } from "../ratio.js";
import { check, whole } from "./spec.js";

/** Return what mechanisms for at most `most` ticked options have in common, and how many options there are. */
export function setMechanism(answers: bigint, most: number) {
  const options = answers.toString(2).length - 1;
  check(options >= 1 && options <= 64 && answers === 1n << BigInt(options), "1 to 64 options");
  whole(most, "most", 1, options);
  return {
    options,
    answerKind: "several",
    answers,
    isFor: (count: number, ticked: number) => count === options && ticked === most,
  } satisfies Partial<Mechanism> & { options: number };
}

/** Return what a preview says of a ticked option's bit, and of another's. */
export const ticks = (q: Ratio, p: Ratio) => (): Stated => ({
  sentence: "ticks",
  chances: [q, p].map((rate) => [ratio(rate.d - rate.n, rate.d), rate]),
  namesSeveral: true,
});
