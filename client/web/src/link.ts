/** The respondent's link: where a survey lives and whose signature it must carry. */

import { refuse } from "./refusal.js";
import { type Bytes, unb64url } from "./wire.js";

export interface Link {
  /** Scheme, host, port and path prefix; requests go to `server + "/v1/..."`. */
  readonly server: string;
  readonly survey: string;
  readonly key: Bytes;
  /** The key as base64url: the name under which the ledger keeps a publisher. */
  readonly publisher: string;
}

/** Plain http to this machine alone. */
const LINK =
  /^((?:https:\/\/[^/@?#]+|http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?)(?:\/[^/?#]+)*)\/v1\/surveys\/([a-z0-9][a-z0-9_-]{0,63})(?:#key=(.*))?$/;

/**
 * Return the link of `https://host/v1/surveys/<id>#key=<base64url>`.
 *
 * @throws Refusal if it is none, is plain http to another machine, or names no or two keys.
 */
export function parseLink(text: string, publisherKey?: string): Link {
  const [, server = "", survey = "", carried] = LINK.exec(text) ?? [];
  const publisher = publisherKey ?? carried ?? "";
  const key = unb64url(publisher);
  const isRight = /^[!-~]+$/.test(text) && URL.canParse(server) && key?.length === 32 && (carried ?? publisher) === publisher;
  return isRight ? { server, survey, key, publisher } : refuse("misconfigured", "link or publisher key");
}
