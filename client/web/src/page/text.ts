/** A text of declared characters; whether it fits, the question itself decides. */

import { all, MISSING, type Reader } from "./field.js";

export function field(fieldset: HTMLElement): Reader {
  const input = all(fieldset, "[data-text]")[0] as HTMLInputElement;
  return () => (input.value.trim() ? { answer: input.value } : MISSING);
}
