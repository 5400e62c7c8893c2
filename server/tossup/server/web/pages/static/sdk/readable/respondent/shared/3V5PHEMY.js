import{MISSING as MISSING,all as all}from"../page/page.js";

// src/page/number.ts
function field(fieldset) {
  const input = all(fieldset, "[data-number]")[0];
  return () => read(input);
}
function read(input) {
  const text = plain(input.value);
  if (!text) return MISSING;
  const isWhole = input.dataset["number"] === "integers";
  if (!(isWhole ? /^[+-]?\d{1,15}$/ : /^[+-]?\d{1,15}([.]\d{1,15})?$/).test(text)) return { wrong: "number" };
  return { answer: Number(text) };
}
function plain(text) {
  const digits = text.replace(/(?=[\0-\uffff])\p{Nd}/gu, (digit) => String(valueOf(digit)));
  return digits.trim().replace(/[−–]/, "-").replace(/[,٫]/, ".");
}
function valueOf(digit) {
  let code = digit.codePointAt(0);
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - 1))) [code, value] = [code - 1, value + 1];
  return value;
}

export {
  field,
  read
};
