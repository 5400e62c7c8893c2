import {
  CALM,
  RECEIPT_TYPE,
  hasKeys,
  parse
} from "./NDDG5PIC.js";

// src/verdicts.ts
var PROBLEM_TYPE = "application/problem+json";
var PROBLEM_PREFIX = "urn:tossup:error:";
var FINAL = ["malformed", "media-type", "too-large", "too-many-reports", "survey-closed"];
var FIRST_SECONDS = 30;
var LONGEST_SECONDS = 6 * 3600;
var DAY_SECONDS = 24 * 3600;
var isCode = (code) => typeof code === "string" && /^[a-z][a-z-]{0,63}$/.test(code);
function codeOf({ status, type, body }) {
  if (!status) return "offline";
  if (status === 200) return "not-our-server";
  const value = type === PROBLEM_TYPE && parse(body);
  const kind = hasKeys(value, "type title status detail") ? `${value["type"]}` : "";
  const code = kind.slice(PROBLEM_PREFIX.length);
  return kind.startsWith(PROBLEM_PREFIX) && isCode(code) ? code : `http-${status}`;
}
function refused({ status, type, body }) {
  const value = status === 200 && type === RECEIPT_TYPE && parse(body);
  if (!hasKeys(value, "v received failed") || value["v"] !== 1 || value["received"] !== 0) return void 0;
  const [failure, ...others] = Array.isArray(value["failed"]) ? value["failed"] : [];
  if (others.length || !hasKeys(failure, "i code") || failure["i"] !== 0) return void 0;
  return isCode(failure["code"]) ? failure["code"] : void 0;
}
function settle(now, report, isReport, answer, progress) {
  const code = refused(answer) ?? codeOf(answer);
  if (!FINAL.includes(code)) return postpone(now, answer, code, progress);
  Object.assign(now, CALM);
  if (code === "survey-closed") now.isClosed = true;
  if (report) Object.assign(report, { state: isReport ? "quarantined" : "unwithdrawn", code });
}
function postpone(now, { status, retryAfter }, code, progress) {
  const isAsked = [429, 503].includes(status) && /^\d{1,9}$/.test(`${retryAfter}`);
  const longest = Math.min(FIRST_SECONDS * 2 ** now.failures, LONGEST_SECONDS);
  now.delay = isAsked ? Math.min(Math.max(Number(retryAfter), 1), DAY_SECONDS) : 1 + jitter(longest);
  now.retryAt = Math.floor(Date.now() / 1e3) + now.delay;
  now.failures += 1;
  now.problem = progress.reason = code;
}
var jitter = (below) => crypto.getRandomValues(new Uint32Array(1))[0] % below;
function requeue(reports) {
  for (const report of reports) {
    if (report.state === "quarantined" && !FINAL.includes(report.code)) Object.assign(report, { state: "pending", code: "" });
  }
}

export {
  codeOf,
  settle,
  requeue
};
//# sourceMappingURL=NYQV6CPV.js.map
