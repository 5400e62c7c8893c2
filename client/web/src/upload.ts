/**
 * Requests, and sending what is stored, exactly as it is, until the server has acknowledged it.
 * Reports leave one a request, in the order of their random ids, so that neither order nor company
 * tells which answers were given together.
 */

import { type Device, isOf, standing } from "./device.js";
import type { Report, State } from "./store/state.js";
import { judge, settle } from "./verdicts.js";
import { type Bytes, MANIFEST_TYPE, MAX_BYTES, RECEIPT_TYPE, withdrawalBody } from "./wire.js";

/** An answer to a request, read whole. */
export interface Answer {
  /** 0 if there was none. */
  readonly status: number;
  readonly type: string | null;
  readonly body: Bytes;
  readonly headers?: Headers;
}

/** What one flush has done so far, and why it stopped early, if it did. */
export interface Progress {
  sent: number;
  withdrawn: number;
  reason: string | null;
}

/** Send one request without cookie, referrer or cache, and return an answer of at most 512 KiB. */
export async function ask(device: Device, path: string, sent?: string): Promise<Answer> {
  try {
    const answer = await fetch(device.link.server + path, {
      ...(sent && { method: "POST", body: sent }), // as text/plain, which no preflight comes before
      headers: { Accept: sent ? RECEIPT_TYPE : MANIFEST_TYPE },
      credentials: "omit",
      referrerPolicy: "no-referrer",
      redirect: "error",
      cache: "no-store",
      signal: AbortSignal.timeout(device.timeoutSeconds * 1000),
    });
    const { status, headers } = answer;
    return { status, type: headers.get("Content-Type"), body: await read(answer), headers };
  } catch {
    return { status: 0, type: null, body: new Uint8Array() };
  }
}

/** Return the body of an answer; stop reading one that is too long, however small it is packed. */
async function read(answer: Response): Promise<Bytes> {
  const parts: BlobPart[] = [];
  let length = 0;
  const reader = answer.body?.getReader();
  for (let part; reader && !(part = await reader.read()).done; parts.push(part.value)) {
    length += part.value.length;
    if (length > MAX_BYTES) throw reader.cancel();
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** Send what is stored, unless another page of this origin does so at this moment. */
export const flush = (device: Device, isForced: boolean, limit = Infinity): Promise<Progress> =>
  navigator.locks.request("tossup", { ifAvailable: true }, (lock) => (lock ? upload(device, isForced, limit) : BUSY));

const BUSY: Progress = { sent: 0, withdrawn: 0, reason: "flushing" };

/** Empty the outbox of one survey: reports first, at most `limit` of them, then withdrawals. */
async function upload(device: Device, isForced: boolean, limit: number): Promise<Progress> {
  const progress: Progress = { sent: 0, withdrawn: 0, reason: null };
  const { store, link } = device;
  /** Return a copy of what is sent next, and note that it may reach the server from now on. */
  const take = (state: State): Report | undefined => {
    const first = (is: Report["state"]): Report | undefined => boxed(device, state).find((report) => report.state === is);
    const { retryAt, delay } = standing(device, state);
    const next = (limit > 0 ? first("pending") : undefined) ?? first("withdrawing");
    if (next && !isForced && remaining(retryAt, delay)) progress.reason ??= "waiting";
    if (!next || progress.reason) return undefined;
    next.attempted = true;
    return { ...next };
  };
  let next = await store.transact(take);
  while (next) {
    const sent = next;
    const isReport = sent.state === "pending";
    const body = isReport ? sent.body : withdrawalBody(link.survey, sent.id);
    const answer = await ask(device, isReport ? "/v1/reports" : "/v1/withdrawals", body);
    const verdict = await judge(answer);
    const { code } = verdict;
    if (isReport) limit -= 1;
    next = await store.transact((state) => {
      settle(standing(device, state), verdict);
      // Somebody may have withdrawn the report, or removed it, since it was taken.
      const report = state.outbox.find(({ id, state: is }) => id === sent.id && is === sent.state);
      if (!verdict.isFinal) progress.reason = code;
      else if (code) Object.assign(report ?? {}, { state: isReport ? "quarantined" : "unwithdrawn", code });
      else {
        progress[isReport ? "sent" : "withdrawn"] += 1;
        if (report && isReport) Object.assign(report, { state: "sent", body: "" });
        else if (report) state.outbox.splice(state.outbox.indexOf(report), 1);
      }
      return take(state);
    });
  }
  return progress;
}

/** Return the survey's reports, in the order of their ids. */
export const boxed = (device: Pick<Device, "link">, state: State): Report[] =>
  state.outbox.filter(isOf(device)).sort((a, b) => (a.id < b.id ? -1 : 1));

/** Return how many seconds are left; a clock that was set back or forward ends the wait. */
export function remaining(retryAt: number, delay: number): number {
  const left = retryAt - Math.floor(Date.now() / 1000);
  return left > 0 && left <= delay ? left : 0;
}
