/** What became of a call, by name: the same names as those of the Python SDK. */

export type Outcome =
  | "queued"
  | "stored"
  | "already-answered"
  | "refused-answer"
  | "refused-cap"
  | "odds-raised"
  | "preview-again"
  | "refused-manifest"
  | "closed"
  | "not-open"
  | "not-asked"
  | "no-consent"
  | "store-unavailable"
  | "store-too-new"
  | "ledger-damaged"
  | "unreachable"
  | "misconfigured"
  | "failed";
