/** What questions that take a text accept: texts of declared characters, each in one form. */

import { check, whole } from "../sampling/spec.js";
import { hasKeys } from "../wire.js";
import type { KindModule } from "./base.js";

/** What Python's `str.split` splits at. */
const SPACES = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;
const JOINERS = "\u200c\u200d";

export const fromJson: KindModule["fromJson"] = (value, options) => {
  check(!options.length && hasKeys(value, "characters longest others"), "texts");
  const longest = whole(value["longest"], "longest", 1, 64);
  const { characters: ranges, others } = value;
  check(typeof others === "boolean", "others");
  const characters = spelledOut(ranges);
  const base = BigInt(characters.length + 1);
  const digits = new Map(characters.map((character, place) => [character, BigInt(place + 1)]));
  const foldsCase = characters.every((character) => character === character.toLowerCase());
  const inOneForm = (written: string): string =>
    (foldsCase ? written.toLowerCase() : written).split(SPACES).filter(Boolean).join(" ").normalize("NFC");
  check(characters.some((character) => !` ${JOINERS}`.includes(character)), "a character that is seen");
  for (const character of characters) {
    const isShown = character === " " || JOINERS.includes(character) || !/[\p{C}\p{Z}]/u.test(character);
    check(isShown && inOneForm(`.${character}.`) === `.${character}.`, "characters in NFC");
  }
  return {
    kind: "text",
    answers: base ** BigInt(longest),
    options: [],
    fits: (mechanism) => mechanism.answerKind === "text" && !!mechanism.isFor?.(characters.length, longest),
    place(answer) {
      if (typeof answer !== "string") return undefined;
      const written = [...answer].length <= 1 << 12 ? [...inOneForm(answer)] : [];
      const places = written.map((character) => digits.get(character));
      const fits = places.length && places.length <= longest && places.every((place) => place !== undefined);
      if (!fits) return others ? 0n : undefined;
      return Array.from({ length: longest }, (_, at) => places[at] ?? 0n).reduce((number, digit) => number * base + digit, 0n);
    },
    index: (place) => place as bigint,
  };
};

/** Return the characters of a manifest's ranges, which are written in their one form: `["a-z", "-"]`. */
function spelledOut(ranges: unknown): string[] {
  check(Array.isArray(ranges) && ranges.every(isRun), "ranges");
  const found: string[] = [];
  let before = -2;
  for (const run of ranges as string[]) {
    const ends = [...run].map((character) => character.codePointAt(0) as number);
    const [first, last] = [ends[0] as number, ends[ends.length - 1] as number];
    // A range that begins where the last one ended would be written as one with it.
    check((ends.length === 1 || first < last) && first > before + 1 && found.length + last - first < (1 << 16) - 1, "ranges in order");
    for (let code = first; code <= last; code++) found.push(String.fromCodePoint(code));
    before = last;
  }
  check(found.length, "characters");
  return found;
}

function isRun(run: unknown): boolean {
  const [first, dash, last, ...rest] = typeof run === "string" ? [...run] : [];
  return first !== undefined && (dash === undefined || (dash === "-" && !!last && !rest.length));
}
