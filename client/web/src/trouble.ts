/** What a server has against a request. Loaded when it first has something. */

import type { Answer } from "./upload.js";
import type { Verdict } from "./verdicts.js";
import { hasKeys, parse, RECEIPT_TYPE } from "./wire.js";

const PROBLEM_TYPE = "application/problem+json";
const CODE = /^[a-z][a-z-]{0,63}$/;
const PROBLEM = /^urn:tossup:error:([a-z][a-z-]{0,63})$/;
const REFUSAL = /^\{"v":1,"received":0,"failed":\[\{"i":0,"code":"([^"]*)"\}\]\}$/;
const FINAL = ["malformed", "media-type", "too-large", "too-many-reports", "survey-closed"];
const DAY_SECONDS = 24 * 3600;
/** A day and time of HTTP, as all servers of today write it: `Sun, 06 Nov 1994 08:49:37 GMT`. */
const DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/** Return why an answer is not what was asked for: a code of ours, or `http-<status>`. */
export function judge(answer: Answer): Verdict {
  const { status, type, body } = answer;
  const isReceipt = status === 200 && type === RECEIPT_TYPE;
  const [, refused = ""] = REFUSAL.exec(isReceipt ? JSON.stringify(parse(body)) : "") ?? [];
  const code = CODE.test(refused) ? refused : problem(answer);
  return { code, isFinal: FINAL.includes(code), seconds: [429, 503].includes(status) ? wait(answer) : undefined };
}

function problem({ status, type, body }: Answer): string {
  if (status === 200) return "not-our-server";
  const value = type === PROBLEM_TYPE && parse(body);
  return PROBLEM.exec(hasKeys(value, "type title status detail") ? `${value["type"]}` : "")?.[1] ?? `http-${status}`;
}

/** Return for how many seconds an answer asks to be left alone, in seconds or until a day and time. */
function wait({ headers }: Answer): number | undefined {
  const text = `${headers?.get("Retry-After")}`.trim();
  const seconds = DATE.test(text) ? Math.ceil((Date.parse(text) - Date.now()) / 1000) : /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  return seconds === seconds ? Math.min(Math.max(seconds, 1), DAY_SECONDS) : undefined;
}
