/** The one error that is thrown: it has an outcome, says why, and holds nothing of an answer. */

import type { Outcome } from "./outcome.js";

export class Refusal extends Error {
  /**
   * @param outcome What became of the call, by name.
   * @param message Why; never anything of an answer.
   */
  constructor(
    readonly outcome: Outcome,
    message: string,
  ) {
    super(message);
  }
}

/** Refuse a call. */
export function refuse(outcome: Outcome, message: string): never {
  throw new Refusal(outcome, message);
}

/** Refuse a manifest, as Python's parser does. */
export function refuseManifest(message: string): never {
  return refuse("refused-manifest", message);
}
