/**
 * What an answer means that is not simply what was asked for: keep, try again, or set aside. Only a
 * problem document of ours about the bytes themselves is a refusal: a server that is set up wrongly,
 * an old backup or a proxy may say no today and yes tomorrow, and a report that was given up cannot
 * be given again. Loaded when something goes wrong.
 */

import { CALM, type Report, type Standing } from "./store/state.js";
import type { Answer, Progress } from "./upload.js";
import { hasKeys, parse, RECEIPT_TYPE } from "./wire.js";

const PROBLEM_TYPE = "application/problem+json";
const PROBLEM_PREFIX = "urn:tossup:error:";
/** What a server will say again, whenever the same bytes come. */
const FINAL = ["malformed", "media-type", "too-large", "too-many-reports", "survey-closed"];
const FIRST_SECONDS = 30;
const LONGEST_SECONDS = 6 * 3600;
const DAY_SECONDS = 24 * 3600;

const isCode = (code: unknown): code is string => typeof code === "string" && /^[a-z][a-z-]{0,63}$/.test(code);

/** Return why an answer is not what was asked for: a code of ours, or `http-<status>`. */
export function codeOf({ status, type, body }: Answer): string {
  if (!status) return "offline";
  if (status === 200) return "not-our-server";
  const value = type === PROBLEM_TYPE && parse(body);
  const kind = hasKeys(value, "type title status detail") ? `${value["type"]}` : "";
  const code = kind.slice(PROBLEM_PREFIX.length);
  return kind.startsWith(PROBLEM_PREFIX) && isCode(code) ? code : `http-${status}`;
}

/** Return the code of the one report that a receipt refuses; undefined if it is no such receipt. */
function refused({ status, type, body }: Answer): string | undefined {
  const value = status === 200 && type === RECEIPT_TYPE && parse(body);
  if (!hasKeys(value, "v received failed") || value["v"] !== 1 || value["received"] !== 0) return undefined;
  const [failure, ...others] = Array.isArray(value["failed"]) ? (value["failed"] as unknown[]) : [];
  if (others.length || !hasKeys(failure, "i code") || failure["i"] !== 0) return undefined;
  return isCode(failure["code"]) ? failure["code"] : undefined;
}

/** Store what an answer means for a report, or for the withdrawal of one. */
export function settle(now: Standing, report: Report | undefined, isReport: boolean, answer: Answer, progress: Progress): void {
  const code = refused(answer) ?? codeOf(answer);
  if (!FINAL.includes(code)) return postpone(now, answer, code, progress);
  Object.assign(now, CALM);
  if (code === "survey-closed") now.isClosed = true;
  if (report) Object.assign(report, { state: isReport ? "quarantined" : "unwithdrawn", code });
}

/** Wait as long as the server asks, or longer with every failure, each device for itself. */
function postpone(now: Standing, { status, retryAfter }: Answer, code: string, progress: Progress): void {
  const isAsked = [429, 503].includes(status) && /^\d{1,9}$/.test(`${retryAfter}`);
  const longest = Math.min(FIRST_SECONDS * 2 ** now.failures, LONGEST_SECONDS);
  now.delay = isAsked ? Math.min(Math.max(Number(retryAfter), 1), DAY_SECONDS) : 1 + jitter(longest);
  now.retryAt = Math.floor(Date.now() / 1000) + now.delay;
  now.failures += 1;
  now.problem = progress.reason = code;
}

/** Return a number from 0 to below - 1: devices that failed together do not return together. */
const jitter = (below: number): number => (crypto.getRandomValues(new Uint32Array(1))[0] as number) % below;

/** Try again what was set aside for another reason than the server's refusal of its bytes. */
export function requeue(reports: readonly Report[]): void {
  for (const report of reports) {
    if (report.state === "quarantined" && !FINAL.includes(report.code)) Object.assign(report, { state: "pending", code: "" });
  }
}
