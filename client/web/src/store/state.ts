/**
 * What a device keeps: records, read and written in one durable transaction, so that the ledger and
 * the reports it pays for are there together or not at all. They never hold an answer.
 *
 * What a record has is replaced, never changed within: so a store sees which records are others by now.
 */

import type { Ratio } from "../ratio.js";
import type { Bytes } from "../wire.js";

/** One answered topic. Entries are only ever added; what is reported again costs odds of 1. */
export interface Entry {
  readonly publisher: string;
  readonly topic: string;
  /** Empty once it was forgotten. */
  survey: string;
  readonly odds: Ratio;
  readonly delta: Ratio;
  /** From 1 in a survey that asks in waves; 0 in all others. */
  readonly wave: number;
}

/** A randomized report: its bytes are written once, and the same go out again and again. */
export interface Report {
  /** 16 random bytes in base64; who knows them may withdraw the report. */
  readonly id: string;
  readonly publisher: string;
  readonly survey: string;
  /** The request's body; empty once the server has it. */
  body: string;
  state: "pending" | "sent" | "quarantined" | "withdrawing" | "unwithdrawn";
  /** Why it is quarantined. */
  code: string;
  /** Whether it may have reached the server. */
  attempted: boolean;
}

/** What is kept of a topic to be reported wave after wave: randomized, or coins; never an answer. */
export interface Kept {
  readonly publisher: string;
  readonly topic: string;
  readonly survey: string;
  readonly design: string;
  value: string;
}

/** A version of a survey, as it was signed. */
export interface Manifest {
  readonly digest: string;
  readonly version: number;
  readonly envelope: Bytes;
}

/** Where a survey stands on this device. */
export interface Standing {
  readonly publisher: string;
  readonly survey: string;
  /** Every version that was accepted, from the oldest to the newest. */
  manifests: readonly Manifest[];
  /** What the respondent said; null if they were never asked. */
  consent: boolean | null;
  /** Whether the server said that it takes no more reports. */
  isClosed: boolean;
  /** Failed uploads in a row. */
  failures: number;
  /** When to try again, in seconds since 1970 by this device's clock, and how long that was. */
  retryAt: number;
  delay: number;
  /** The code of the last failed request. */
  problem: string | null;
  /** Which questions of which versions were previewed, where they asked more than before. */
  previewed?: readonly string[];
  /** The waves that coins chose, by how many of how many. */
  turns?: Readonly<Record<string, readonly number[]>>;
}

export type State = {
  readonly ledger: Entry[];
  outbox: Report[];
  memory: Kept[];
  surveys: Standing[];
};

export type Part = keyof State;

/** Where a state is kept. */
export interface Store {
  /** Whether it outlives the page; see `Status.remembers`. */
  readonly isDurable: boolean;
  read(): Promise<State>;
  /**
   * Change the state in one transaction that is durable when the promise is kept. Whatever throws
   * undoes it all.
   *
   * @param change Changes the state and returns what is returned; tosses nothing.
   * @param fill Is called once all of that has been taken, so that what can fail has been tried;
   *   it tosses the coins, and changes texts to others of the same length.
   * @param about Records as they were last seen: only these are read, as they are now, and are all
   *   that the state has; unless one of them is gone, or the store has all at hand.
   */
  transact<T>(change: (state: State) => T, fill?: (made: T) => void, about?: readonly object[]): Promise<T>;
}

/** How a survey stands whose last request met no failure. */
export const CALM = { failures: 0, retryAt: 0, delay: 0, problem: null } as const;

export const emptyState = (): State => ({ ledger: [], outbox: [], memory: [], surveys: [] });
