/** What a question takes, whatever its kind: it places an answer, before any coin. */

import type { Coins } from "../coins.js";
import type { Mechanism } from "../mechanisms/base.js";
import type { Ratio } from "../ratio.js";

/** Where an answer lies among the possible ones: an index, or what is still to be rounded. */
export type Place = bigint | Ratio | readonly Ratio[];

export interface Kind {
  /** Its name, as Python's `Domain.kind`: `yes_no`. */
  readonly kind: string;
  /** How many answers the mechanism tells apart; it may be huge. */
  readonly answers: bigint;
  /** How many options such a question offers at least, if it offers any: 1 where it is left out. */
  readonly fewestOptions?: number;
  /** The ids of the question's options that answers are made of; none for numbers and texts. */
  readonly options: readonly string[];
  fits(mechanism: Mechanism): boolean;
  /** Return where an answer lies; undefined if it is none, look-alikes included. */
  place(answer: unknown): Place | undefined;
  /** Return the index that a mechanism takes for a place that `place` returned. */
  index(place: Place, mechanism: Mechanism, coins: Coins): bigint;
}

/** What a module of a kind exports. */
export interface KindModule {
  /**
   * Return the domain that a manifest states under its key.
   *
   * @throws Refusal if Python's `from_json` refuses, or if `value` is not exactly what it writes.
   */
  fromJson(value: unknown, options: readonly string[], key: string): Kind;
}
