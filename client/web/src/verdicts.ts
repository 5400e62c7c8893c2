/**
 * What an answer means: taken, tried again later, or set aside. Only a problem document of ours about
 * the bytes themselves is a refusal: a server that is set up wrongly, an old backup or a proxy may say
 * no today and yes tomorrow, and a report that was given up cannot be given again.
 */

import { CALM, type Standing } from "./store/state.js";
import type { Answer } from "./upload.js";
import { parse, RECEIPT_TYPE } from "./wire.js";

const FIRST_SECONDS = 30;
const LONGEST_SECONDS = 6 * 3600;

export interface Verdict {
  /** "" for the receipt; else why it is none: a code of ours, or `http-<status>`. */
  readonly code: string;
  /** Whether a server will say so again, whenever the same bytes come. */
  readonly isFinal: boolean;
  /** For how many seconds it asks to be left alone. */
  readonly seconds?: number | undefined;
}

/** Return what an answer means; what a server has against a report is read when it first has something. */
export async function judge(answer: Answer): Promise<Verdict> {
  const { status, type, body } = answer;
  if (!status) return { code: "offline", isFinal: false };
  const isTaken = status === 200 && type === RECEIPT_TYPE;
  if (isTaken && JSON.stringify(parse(body)) === '{"v":1,"received":1,"failed":[]}') return { code: "", isFinal: true };
  // A network that hands out no module may as well have made this answer: it is nobody's last word.
  return import("./trouble.js").then((trouble) => trouble.judge(answer), () => ({ code: `http-${status}`, isFinal: false }));
}

/** Note what an answer says of the server: nothing against it, or when to try again. */
export function settle(now: Standing, { code, isFinal, seconds }: Verdict): void {
  if (code === "survey-closed") now.isClosed = true;
  if (isFinal) Object.assign(now, CALM);
  else {
    // Devices that failed together do not return together, though a server asks all for the same.
    const least = seconds ?? 1;
    const first = seconds ? 2 * seconds : FIRST_SECONDS;
    const range = Math.min(first * 2 ** now.failures++ - least + 1, LONGEST_SECONDS);
    const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
    const delay = least + (random % range);
    Object.assign(now, { delay, retryAt: Math.floor(Date.now() / 1000) + delay, problem: code });
  }
}
