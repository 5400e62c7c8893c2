/** One of many options, in a menu. */

import { MISSING, type Reader } from "./field.js";

export function field(fieldset: HTMLElement): Reader {
  const menu = fieldset.querySelector("select") as HTMLSelectElement;
  return () => (menu.value ? { answer: menu.value } : MISSING);
}
