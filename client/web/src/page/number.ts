/** A number, as people write it; what is exact in the writing stays exact. */

import { all, MISSING, type Read, type Reader } from "./field.js";

export function field(fieldset: HTMLElement): Reader {
  const input = all(fieldset, "[data-number]")[0] as HTMLInputElement;
  return () => read(input);
}

/** Return the number that was typed, of digits of any script; a comma may stand for the point. */
export function read(input: HTMLInputElement): Read {
  const text = plain(input.value);
  if (!text) return MISSING;
  const isWhole = input.dataset["number"] === "integers";
  if (!(isWhole ? /^[+-]?\d{1,15}$/ : /^[+-]?\d{1,15}([.]\d{1,15})?$/).test(text)) return { wrong: "number" };
  return { answer: Number(text) };
}

function plain(text: string): string {
  const digits = text.replace(/(?=[\0-\uffff])\p{Nd}/gu, (digit) => String(valueOf(digit)));
  return digits.trim().replace(/[−–]/, "-").replace(/[,٫]/, ".");
}

/** Digits of a script stand in a row of ten; the row begins where the one before is no digit. */
function valueOf(digit: string): number {
  let code = digit.codePointAt(0) as number;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - 1))) [code, value] = [code - 1, value + 1];
  return value;
}
