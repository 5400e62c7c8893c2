/** What questions take, found by its key in a manifest; loaded when a question is of its kind. */

import type { Kind, KindModule } from "./base.js";
import { CHOICE, YES_NO } from "./yes-no.js";

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
  if (!options.length) return YES_NO;
  return {
    ...CHOICE,
    kind: "choice",
    answers: BigInt(options.length),
    options,
    place(answer) {
      const at = options.indexOf(answer as string);
      return at < 0 ? undefined : BigInt(at);
    },
  };
}
