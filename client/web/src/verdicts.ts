/**
 * What an answer means: taken, tried again later, or set aside. Only a problem document of ours about
 * the bytes themselves is a refusal: a server that is set up wrongly, an old backup or a proxy may say
 * no today and yes tomorrow, and a report that was given up cannot be given again.
 */

import { CALM, type Report, type Standing } from "./store/state.js";
import type { Answer } from "./upload.js";
import { hasKeys, parse, RECEIPT_TYPE } from "./wire.js";

const PROBLEM_TYPE = "application/problem+json";
const CODE = /^[a-z][a-z-]{0,63}$/;
const PROBLEM = /^urn:tossup:error:([a-z][a-z-]{0,63})$/;
/** What a server will say again, whenever the same bytes come. */
const FINAL = ["malformed", "media-type", "too-large", "too-many-reports", "survey-closed"];
const FIRST_SECONDS = 30;
const LONGEST_SECONDS = 6 * 3600;
const DAY_SECONDS = 24 * 3600;

/** Return why an answer is not what was asked for: a code of ours, or `http-<status>`. */
export function codeOf({ status, type, body }: Answer): string {
  if (!status) return "offline";
  if (status === 200) return "not-our-server";
  const value = type === PROBLEM_TYPE && parse(body);
  return PROBLEM.exec(hasKeys(value, "type title status detail") ? `${value["type"]}` : "")?.[1] ?? `http-${status}`;
}

/** Return "" if an answer is the receipt for one report, the code of its refusal, or that of another answer. */
export function judge(answer: Answer): string {
  const value = answer.status === 200 && answer.type === RECEIPT_TYPE ? JSON.stringify(parse(answer.body)) : "";
  if (value === '{"v":1,"received":1,"failed":[]}') return "";
  const [, code = ""] = /^\{"v":1,"received":0,"failed":\[\{"i":0,"code":"([^"]*)"\}\]\}$/.exec(value) ?? [];
  return CODE.test(code) ? code : codeOf(answer);
}

/** Note what an answer says of the server; return whether it is its last word, or wait as it asks. */
export function settle(now: Standing, { status, retryAfter }: Answer, code: string): boolean {
  const isFinal = !code || FINAL.includes(code);
  if (code === "survey-closed") now.isClosed = true;
  if (isFinal) Object.assign(now, CALM);
  else {
    const isAsked = [429, 503].includes(status) && /^\d{1,9}$/.test(`${retryAfter}`);
    const longest = Math.min(FIRST_SECONDS * 2 ** now.failures++, LONGEST_SECONDS);
    // Devices that failed together do not return together.
    const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
    now.delay = isAsked ? Math.min(Math.max(Number(retryAfter), 1), DAY_SECONDS) : 1 + (random % longest);
    now.retryAt = Math.floor(Date.now() / 1000) + now.delay;
    now.problem = code;
  }
  return isFinal;
}

/** Try again what was set aside for another reason than the server's refusal of its bytes. */
export function requeue(reports: readonly Report[]): void {
  for (const report of reports) {
    if (report.state === "quarantined" && !FINAL.includes(report.code)) Object.assign(report, { state: "pending", code: "" });
  }
}
