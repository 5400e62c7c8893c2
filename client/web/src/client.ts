/** `Client`: what a host page holds. It returns values and, unless asked to, never throws. */

import { type Device, deviceOf, standing, USUAL } from "./device.js";
import { fetchSurvey } from "./fetching.js";
import { checkDays, isOver } from "./days.js";
import { parseLink } from "./link.js";
import type { Outcome } from "./outcome.js";
import type { Preview } from "./preview.js";
import { Refusal } from "./refusal.js";
import type { Status } from "./status.js";
import type { Report, State } from "./store/state.js";
import type { Survey } from "./survey.js";
import { type How, toAsk, toss } from "./tossing.js";
import { boxed, flush, remaining } from "./upload.js";

/** Odds: a whole number, or a ratio such as `"3/2"`. */
export type Odds = number | bigint | string;

export interface Options {
  /** The publisher's key, base64url, where the link does not carry it. */
  readonly publisherKey?: string;
  /**
   * Where ledger and reports are kept: `"device"`, in this browser, for life; or `"none"`, for a
   * device that several people use, where all is gone with this client. Send before it goes.
   */
  readonly persist?: "device" | "none";
  /** The most that one question may ever cost, over all of its waves: 9 by default. */
  readonly questionCap?: Odds;
  /** The most that may be spent for life with one publisher (729), and altogether (6561). */
  readonly publisherCap?: Odds;
  readonly deviceCap?: Odds;
  /** The most that may add up of chances for which reports may tell more: `"1/100000"` by default. */
  readonly deltaCap?: Odds;
  /** Toss nothing before `consent(true)`. */
  readonly requireConsent?: boolean;
  /** For each request; 10 by default. */
  readonly timeoutSeconds?: number;
  /** Throw a `Refusal`, with its `outcome`, instead of returning the outcome. */
  readonly strict?: boolean;
}

export interface FlushResult {
  readonly sent: number;
  readonly withdrawn: number;
  /** What is left in the store; null if it could not be asked. */
  readonly pending: number | null;
  readonly quarantined: number | null;
  readonly unwithdrawn: number | null;
  readonly retryAfterSeconds: number;
  /** Why it stopped before everything was sent; null if it did not. */
  readonly reason: string | null;
}

type Change = (device: Device, state: State) => void;

export class Client {
  readonly #device: Promise<Device>;
  readonly #isStrict: boolean;
  #refused: string | null = null;

  /**
   * Answer one survey on one device.
   *
   * @param link `https://host/v1/surveys/<id>#key=<publisher key>`; `http://` only to this machine.
   */
  constructor(link: string, options: Options = {}) {
    this.#isStrict = options.strict === true;
    this.#device = begin(link, options);
    this.#device.catch(() => {});
  }

  /**
   * Fetch the survey, verify it and return it; the stored one when offline.
   *
   * @returns undefined if there is none to trust, or it is closed. One that is not open yet is
   *   returned.
   */
  async survey(): Promise<Survey | undefined> {
    const [survey] = await this.#attempt(async (device) => {
      const found = await fetchSurvey(device);
      if (isOver(found)) checkDays(found);
      return found;
    });
    return survey;
  }

  /**
   * Toss the coins for these answers and store the randomized reports durably.
   *
   * @param answers By question id: a boolean for yes or no, an option's id for a choice, a list of
   *   ids where several may be ticked or are put in order, a number for numbers, a list of them for
   *   a vector, a string for a text; and an option's id for every public attribute.
   * @param how `manifest`: the digest of the survey that the respondent was shown; if it has another
   *   version by now, nothing is tossed: "preview-again". `wave`: for a survey that asks in waves,
   *   which one; by default the one that is on today.
   * @returns "queued" if a new topic was answered; those answered before are left out.
   */
  async answer(answers: Readonly<Record<string, unknown>>, how: How = {}): Promise<Outcome> {
    const [, outcome] = await this.#attempt((device) => toss(device, answers, how));
    return outcome ?? "queued";
  }

  /** Report again in this wave what was tossed in an earlier one; nobody is asked. */
  async repeat(attributes: Readonly<Record<string, unknown>> = {}, how: How = {}): Promise<Outcome> {
    const [, outcome] = await this.#attempt((device) => toss(device, attributes, how, true));
    return outcome ?? "queued";
  }

  /**
   * Return exactly what can be sent, and with which odds; nothing is tossed.
   *
   * @param names Ids of the questions to preview; all by default.
   */
  async preview(names?: readonly string[]): Promise<Preview | undefined> {
    return (await this.#attempt(async (device) => (await import("./preview.js")).preview(device, names)))[0];
  }

  /**
   * Send the stored reports and withdrawals. Any page may do so, at any time.
   *
   * @param options `force`: do not wait for the back-off of an earlier failure. `limit`: send at most
   *   so many reports.
   */
  async flush({ force = false, limit = Infinity } = {}): Promise<FlushResult> {
    const [result, outcome] = await this.#attempt(async (device) => {
      const progress = await flush(device, force, Math.max(limit, 0));
      const state = await device.store.read();
      const count = (is: Report["state"]): number => boxed(device, state, is).length;
      return {
        ...progress,
        pending: count("pending"),
        quarantined: count("quarantined"),
        unwithdrawn: count("unwithdrawn"),
        retryAfterSeconds: remaining(standing(device, state)),
      };
    });
    const unknown = { sent: 0, withdrawn: 0, pending: null, quarantined: null, unwithdrawn: null, retryAfterSeconds: 0 };
    return result ?? { ...unknown, reason: outcome ?? null };
  }

  /**
   * Return the ids of the questions that may be asked now; none where all were answered before, or
   * no wave of this device is on.
   */
  async toAsk(): Promise<readonly string[]> {
    const [ids] = await this.#attempt(toAsk);
    return ids ?? [];
  }

  /** Return what is stored and spent, and what stands in the way. */
  async status(): Promise<Status> {
    const before = this.#refused;
    const [found, outcome] = await this.#attempt(status);
    const shown = found ?? (await import("./status.js")).nothing(USUAL);
    return { ...shown, problem: this.#refused ?? before ?? shown.problem, trouble: outcome ?? null };
  }

  /** Store whether the respondent agrees to take part. */
  async consent(agrees: boolean): Promise<Outcome> {
    return this.#change(() => (device, state) => {
      standing(device, state).consent = agrees === true;
    });
  }

  /**
   * Delete unsent reports, have sent ones withdrawn by the next `flush()`, end consent. What was
   * spent stays spent.
   */
  async withdraw(): Promise<Outcome> {
    return this.#change(async () => (await import("./rights.js")).withdraw);
  }

  /**
   * Erase what this device keeps of the survey: its text, the ids of reports, unsent reports. The
   * ledger keeps the topic's name and its cost, so that no coin is ever tossed twice. Sent reports
   * stay where they are, and cannot be withdrawn from here any more: withdraw and flush first.
   */
  async forget(): Promise<Outcome> {
    return this.#change(async () => (await import("./rights.js")).forget);
  }

  async #change(load: () => Change | Promise<Change>): Promise<Outcome> {
    const [, outcome] = await this.#attempt(async (device) => {
      const change = await load();
      return device.store.transact((state) => change(device, state));
    });
    return outcome ?? "stored";
  }

  /** Return what work returns, or the outcome of what it throws; the error is gone then. */
  async #attempt<T>(work: (device: Device) => Promise<T>): Promise<[T | undefined, Outcome?]> {
    try {
      const made = await work(await this.#device);
      this.#refused = null;
      return [made];
    } catch (error) {
      // Of an error that nobody planned for only the type is named: its text could hold an answer.
      const { outcome, message } = error instanceof Refusal ? error : { outcome: "failed" as const, message: `${(error as Error)?.name}` };
      this.#refused = `${outcome}: ${message}`;
      if (this.#isStrict) throw new Refusal(outcome, message);
      return [undefined, outcome];
    }
  }
}

const status = async (device: Device): Promise<Status> => (await import("./status.js")).status(device);

async function begin(link: string, options: Options): Promise<Device> {
  const { publisherKey, persist = "device", requireConsent, timeoutSeconds = 10 } = options;
  return deviceOf(parseLink(link, publisherKey), {
    fetched: fetchSurvey,
    mustConsent: requireConsent === true,
    timeoutSeconds,
    ...(persist !== "device" && { store: (await import("./store/page.js")).pageStore(persist) }),
    ...(Object.keys(options).some((name) => name.endsWith("Cap")) && { caps: (await import("./caps.js")).capsOf(options, USUAL) }),
  });
}
