import {
  MISSING,
  all
<<<<<<<< HEAD:server/tossup/server/web/pages/static/sdk/readable/shared/5JNMMFQS.js
} from "./VGGIYULG.js";
========
} from "./P7DWNJ37.js";
>>>>>>>> 6bcf1c49 (web: renew the browser SDK's files (#12)):server/tossup/server/web/pages/static/sdk/readable/shared/AUBCQS6N.js

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
<<<<<<<< HEAD:server/tossup/server/web/pages/static/sdk/readable/shared/5JNMMFQS.js
//# sourceMappingURL=5JNMMFQS.js.map
========
//# sourceMappingURL=AUBCQS6N.js.map
>>>>>>>> 6bcf1c49 (web: renew the browser SDK's files (#12)):server/tossup/server/web/pages/static/sdk/readable/shared/AUBCQS6N.js
