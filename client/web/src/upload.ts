/**
 * Requests, and sending what is stored, exactly as it is, until the server has acknowledged it.
 * Reports leave one a request, in the order of their random ids, so that neither order nor company
 * tells which answers were given together.
 */

import { type Device, isOf, standing } from "./device.js";
import type { Report, Standing, State } from "./store/state.js";
import { judge, settle } from "./verdicts.js";
import { type Bytes, MANIFEST_TYPE, MAX_BYTES, RECEIPT_TYPE, withdrawalBody } from "./wire.js";

/** An answer to a request, read whole. */
export interface Answer {
  /** 0 if there was none. */
  readonly status: number;
  readonly type?: string | null;
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
    return { status: 0, body: new Uint8Array() };
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
  const progress: Progress = { ...BUSY, reason: null };
  /** What followed when all was last read; and what the next transaction is about, if not all. */
  let queue: Report[] = [];
  let about: object[] | undefined;
  /** Return what is sent next, and note that it may reach the server from now on. */
  const take = (state: State): Report | undefined => {
    const now = standing(device, state);
    const [next, ...rest] = [...boxed(device, state, "pending").slice(0, limit), ...boxed(device, state, "withdrawing")];
    if (!next || progress.reason) return undefined;
    if (!isForced && remaining(now)) {
      progress.reason = "waiting";
      return undefined;
    }
    next.attempted = true;
    if (rest.length) queue = rest;
    const following = queue.shift();
    about = following && [now, next, following];
    return next;
  };
  let next = await device.store.transact(take);
  while (next) {
    const { id, state: is } = next;
    const isReport = is === "pending";
    const body = isReport ? next.body : withdrawalBody(device.link.survey, id);
    const verdict = await judge(await ask(device, isReport ? "/v1/reports" : "/v1/withdrawals", body));
    const { code } = verdict;
    if (isReport) limit--;
    next = await device.store.transact((state) => {
      settle(standing(device, state), verdict);
      // Somebody may have withdrawn the report, or removed it, since it was taken.
      const report = boxed(device, state, is).find((found) => found.id === id);
      if (!verdict.isFinal) progress.reason = code;
      else if (code) Object.assign(report ?? {}, { state: isReport ? "quarantined" : "unwithdrawn", code });
      else {
        progress[isReport ? "sent" : "withdrawn"] += 1;
        if (isReport) Object.assign(report ?? {}, { state: "sent", body: "" });
        else state.outbox = state.outbox.filter((other) => other !== report);
      }
      return take(state);
    }, undefined, about);
  }
  return progress;
}

/** Return the survey's reports that are in one state, in the order of their ids. */
export const boxed = (device: Device, state: State, is: Report["state"]): Report[] =>
  state.outbox.filter((report) => report.state === is && isOf(device)(report)).sort((a, b) => (a.id < b.id ? -1 : 1));

/** Return how many seconds are left; a clock that was set back or forward ends the wait. */
export function remaining({ retryAt, delay }: Standing): number {
  const left = retryAt - Math.floor(Date.now() / 1000);
  return left > 0 && left <= delay ? left : 0;
}
