/** What questions take, found by its key in a manifest; loaded when a question is of its kind. */

import type { Kind, KindModule } from "./base.js";

/** By the key of a question that holds a domain; yes and no, and choices, have none. */
export const KINDS: Readonly<Record<string, () => Promise<KindModule>>> = {
  integers: () => import("./numbers.js"),
  numbers: () => import("./numbers.js"),
  several: () => import("./several.js"),
  ranking: () => import("./ranking.js"),
  texts: () => import("./texts.js"),
};

/** Return the domain of a question without such a key: of its options, or yes and no. */
export function ofOptions(options: readonly string[]): Kind {
  const isYesNo = !options.length;
  return {
    kind: isYesNo ? "yes_no" : "choice",
    answers: BigInt(isYesNo ? 2 : options.length),
    fewestOptions: 2,
    options,
    fits: (mechanism) => mechanism.answerKind === "choice",
    place(answer) {
      if (isYesNo) return typeof answer === "boolean" ? BigInt(answer) : undefined;
      const at = options.indexOf(answer as string);
      return at < 0 ? undefined : BigInt(at);
    },
    index: (place) => place as bigint,
  };
}
