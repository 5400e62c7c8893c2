/** Yes and no. */

import type { Kind } from "./base.js";

/** What questions with options take, and yes-no questions: an index. */
export const CHOICE = {
  fewestOptions: 2,
  fits: (mechanism) => mechanism.answerKind === "choice",
  index: (place) => place as bigint,
} satisfies Partial<Kind>;

export const YES_NO: Kind = {
  ...CHOICE,
  kind: "yes_no",
  answers: 2n,
  options: [],
  place: (answer) => (typeof answer === "boolean" ? BigInt(answer) : undefined),
};
