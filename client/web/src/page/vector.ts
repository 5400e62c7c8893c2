/** Several numbers that are one answer: the components of a vector. */

import { all, type Reader } from "./field.js";
import { read } from "./number.js";

export function field(fieldset: HTMLElement): Reader {
  const inputs = all(fieldset, "[data-number]");
  return () => {
    const answer: unknown[] = [];
    for (const input of inputs) {
      const found = read(input);
      if ("wrong" in found) return found;
      answer.push(found.answer);
    }
    return { answer };
  };
}
