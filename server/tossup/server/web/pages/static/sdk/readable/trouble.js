import {
  RECEIPT_TYPE,
  hasKeys,
  parse
} from "./shared/QSFGJONQ.js";

// src/trouble.ts
var PROBLEM_TYPE = "application/problem+json";
var CODE = /^[a-z][a-z-]{0,63}$/;
var PROBLEM = /^urn:tossup:error:([a-z][a-z-]{0,63})$/;
var REFUSAL = /^\{"v":1,"received":0,"failed":\[\{"i":0,"code":"([^"]*)"\}\]\}$/;
var FINAL = ["malformed", "media-type", "too-large", "too-many-reports", "survey-closed"];
var DAY_SECONDS = 24 * 3600;
var DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;
function judge(answer) {
  const { status, type, body } = answer;
  const isReceipt = status === 200 && type === RECEIPT_TYPE;
  const [, refused = ""] = REFUSAL.exec(isReceipt ? JSON.stringify(parse(body)) : "") ?? [];
  const code = CODE.test(refused) ? refused : problem(answer);
  return { code, isFinal: FINAL.includes(code), seconds: [429, 503].includes(status) ? wait(answer) : void 0 };
}
function problem({ status, type, body }) {
  if (status === 200) return "not-our-server";
  const value = type === PROBLEM_TYPE && parse(body);
  return PROBLEM.exec(hasKeys(value, "type title status detail") ? `${value["type"]}` : "")?.[1] ?? `http-${status}`;
}
function wait({ headers }) {
  const text = `${headers?.get("Retry-After")}`.trim();
  const seconds = DATE.test(text) ? Math.ceil((Date.parse(text) - Date.now()) / 1e3) : /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  return seconds === seconds ? Math.min(Math.max(seconds, 1), DAY_SECONDS) : void 0;
}
export {
  judge
};
//# sourceMappingURL=trouble.js.map
