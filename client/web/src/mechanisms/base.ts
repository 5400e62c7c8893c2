/** What every mechanism is: an exact channel from answers to reports. */

import type { Coins } from "../coins.js";
import type { Ratio } from "../ratio.js";

/** What a mechanism takes: an option or yes and no, or the answers of another kind. */
export type AnswerKind = "choice" | "number" | "ranking" | "several" | "text" | "vector";

/** What a mechanism says of its reports, as Python's `Stated`: facts for a preview. */
export interface Stated {
  readonly sentence: string;
  readonly chances: readonly (readonly Ratio[])[];
  readonly namesSeveral?: boolean;
}

/** A mechanism as a manifest states it; odds are found here and never believed. */
export interface Mechanism {
  /** Its frozen name: `two-coin/1`. */
  readonly id: string;
  readonly answerKind: AnswerKind;
  /** Answers are below this number; it may be huge, and not all below need be possible. */
  readonly answers: bigint;
  /** Reports are below this number, which tells how many bytes a report has on the wire. */
  readonly reports: bigint;
  readonly odds: Ratio;
  /** The chance for which the odds are not promised; none where it is left out. */
  readonly delta?: Ratio;
  /** How an answer between two becomes one of them; at random where it is left out. */
  readonly rounding?: "random" | "nearest";
  /** Whether it is for a domain of these sizes, as Python's `is_for`; yes where it is left out. */
  isFor?(...sizes: number[]): boolean;
  /** The exact chances of its reports, as Python's `stated()`, where they are cheap to tell. */
  stated?(): Stated;
  /** Return the report for the index of an answer. Bytes drawn never depend on the answer. */
  randomize(answer: bigint, coins: Coins): bigint;

  /** What a device keeps to report it wave after wave; the report itself where it is left out. */
  readonly memory?: Mechanism;
  /** Return a wave's report from what `memory` gave. */
  again?(kept: bigint, coins: Coins): bigint;
  /** With a memo: of how many reports of one device the odds are worked out. */
  readonly mostReports?: number;
  /** What a report is to someone who has the memo; only mechanisms with a memo have it. */
  readonly givenMemo?: Mechanism;
  /** Toss the memo of a device, before any answer is seen. */
  memo?(coins: Coins): bigint;
  /** Return the report of a wave: of its answer, through what `memo` gave. */
  through?(memo: bigint, answer: bigint, coins: Coins): bigint;
}

/** What a module of a mechanism exports. */
export interface MechanismModule {
  /**
   * Return the mechanism that a manifest states.
   *
   * @param spec The manifest's parameters with `name`, in the manifest's order.
   * @param answers How many answers the question has.
   * @throws Refusal if Python's `from_spec` refuses, or if `spec` is not exactly what it writes.
   */
  fromSpec(spec: Record<string, unknown>, answers: bigint): Mechanism;
}
