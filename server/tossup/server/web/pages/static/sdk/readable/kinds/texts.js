import {
  check,
  whole
} from "../shared/ZGTW6QBU.js";
import {
  hasKeys
} from "../shared/QSFGJONQ.js";

// src/kinds/texts.ts
var SPACES = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;
var JOINERS = "‌‍";
var fromJson = (value, options) => {
  check(!options.length && hasKeys(value, "characters longest others"), "texts");
  const longest = whole(value["longest"], "longest", 1, 64);
  const { characters: ranges, others } = value;
  check(typeof others === "boolean", "others");
  const characters = spelledOut(ranges);
  const base = BigInt(characters.length + 1);
  const digits = new Map(characters.map((character, place) => [character, BigInt(place + 1)]));
  const foldsCase = characters.every((character) => character === character.toLowerCase());
  const inOneForm = (written) => (foldsCase ? written.toLowerCase() : written).split(SPACES).filter(Boolean).join(" ").normalize("NFC");
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
      if (typeof answer !== "string") return void 0;
      const written = [...answer].length <= 1 << 12 ? [...inOneForm(answer)] : [];
      const places = written.map((character) => digits.get(character));
      const fits = places.length && places.length <= longest && places.every((place) => place !== void 0);
      if (!fits) return others ? 0n : void 0;
      return Array.from({ length: longest }, (_, at) => places[at] ?? 0n).reduce((number, digit) => number * base + digit, 0n);
    },
    index: (place) => place
  };
};
function spelledOut(ranges) {
  check(Array.isArray(ranges) && ranges.every(isRun), "ranges");
  const found = [];
  let before = -2;
  for (const run of ranges) {
    const ends = [...run].map((character) => character.codePointAt(0));
    const [first, last] = [ends[0], ends[ends.length - 1]];
    check((ends.length === 1 || first < last) && first > before + 1 && found.length + last - first < (1 << 16) - 1, "ranges in order");
    for (let code = first; code <= last; code++) found.push(String.fromCodePoint(code));
    before = last;
  }
  check(found.length, "characters");
  return found;
}
function isRun(run) {
  const [first, dash, last, ...rest] = typeof run === "string" ? [...run] : [];
  return first !== void 0 && (dash === void 0 || dash === "-" && !!last && !rest.length);
}
export {
  fromJson
};
//# sourceMappingURL=texts.js.map
