/** What questions with several answers take: a list or set of different options, so many at most. */

import { check, whole } from "../sampling/spec.js";
import { hasKeys } from "../wire.js";
import type { KindModule } from "./base.js";

export const fromJson: KindModule["fromJson"] = (value, options) => {
  check(hasKeys(value, "most"), "several");
  const [count, most] = [options.length, whole(value["most"], "most", 1, options.length)];
  check(count <= 64, "1 to 64 options");
  return {
    kind: "several",
    answers: 1n << BigInt(count),
    options,
    fits: (mechanism) => mechanism.answerKind === "several" && !!mechanism.isFor?.(count, most),
    place(answer) {
      if (!(Array.isArray(answer) || answer instanceof Set)) return undefined;
      const places = [...(answer as Iterable<string>)].map((option) => options.indexOf(option));
      if (places.includes(-1) || new Set(places).size < places.length || places.length > most) return undefined;
      return places.reduce((mask, place) => mask | (1n << BigInt(place)), 0n);
    },
    index: (place) => place as bigint,
  };
};
