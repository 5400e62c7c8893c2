/**
 * Bytes, both ways: what a device sends, and what it reads. Every text has exactly one form, the
 * one that Python's `shared/wire.py` writes.
 */

import { refuse, refuseManifest } from "./refusal.js";

export const MANIFEST_TYPE = "application/vnd.tossup.manifest+json";
export const RECEIPT_TYPE = "application/vnd.tossup.receipt+json";
export const MAX_BYTES = 1 << 19;

/** The version of the protocol. */
const VERSION = 1;
const MAX_ENVELOPE_BYTES = 1 << 18;
const MAX_PAYLOAD_BYTES = 1 << 17;
const SIGNED_TYPE = "tossup.manifest.v1";

/** Bytes that are shared with nobody: what WebCrypto takes. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** Return standard base64 with padding. */
export function b64(bytes: Iterable<number>): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** Return base64url without padding. */
const b64url = (bytes: Bytes): string => b64(bytes).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");

/** Return the bytes of canonical base64url without padding; undefined for anything else. */
export function unb64url(text: unknown): Bytes | undefined {
  try {
    const plain = atob((text as string).replace(/-/g, "+").replace(/_/g, "/"));
    const bytes = Uint8Array.from(plain, (character) => character.charCodeAt(0));
    return b64url(bytes) === text ? bytes : undefined;
  } catch {
    return undefined;
  }
}

const hex = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Return the SHA-256 of bytes, as 64 hex digits. */
export const sha256 = async (bytes: Bytes): Promise<string> => hex(await crypto.subtle.digest("SHA-256", bytes));

/** Return the value of a JSON text that is written in its one form; undefined for anything else. */
export function parse(bytes: Bytes, most = MAX_BYTES): unknown {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    // Spaces, fractions, a key that stands twice, digits that a number does not hold: all differ.
    return bytes.length <= most && JSON.stringify(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Return whether a value is an object, and no list. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && !!value && !Array.isArray(value);

/** Return whether a value is an object with exactly these keys, in this order. */
export const hasKeys = (value: unknown, names: string): value is Record<string, unknown> =>
  isObject(value) && Object.keys(value).join(" ") === names;

/**
 * Return the payload of an envelope that the holder of a key signed.
 *
 * @throws Refusal if the envelope is malformed, or carries no valid signature of this key.
 */
export async function verify(envelope: Bytes, key: Bytes): Promise<Bytes> {
  const value = parse(envelope, MAX_ENVELOPE_BYTES);
  const payload = hasKeys(value, "payload type sigs") && value["type"] === SIGNED_TYPE ? unb64url(value["payload"]) : 0;
  const sigs = payload && (value as { sigs: unknown }).sigs;
  if (!payload || !Array.isArray(sigs) || !sigs.length || sigs.length > 4) refuseManifest("envelope");
  const id = (await sha256(key)).slice(0, 16);
  const signed = await toSign(payload);
  const imported = await crypto.subtle
    .importKey("raw", key, "Ed25519", false, ["verify"])
    .catch(() => refuse("misconfigured", "browser without Ed25519"));
  let isSigned = false;
  for (const sig of sigs) {
    const signature = hasKeys(sig, "kid sig") && unb64url(sig["sig"]);
    if (!signature) refuseManifest("signature");
    isSigned ||= sig.kid === id && (await crypto.subtle.verify("Ed25519", imported, signature, signed));
  }
  return isSigned && payload.length <= MAX_PAYLOAD_BYTES
    ? payload
    : refuseManifest("not signed by the pinned key");
}

/** Type and payload, each preceded by its length in eight bytes, lowest first. */
const toSign = (payload: Bytes): Promise<ArrayBuffer> =>
  new Blob([lengthOf(SIGNED_TYPE), SIGNED_TYPE, lengthOf(payload), payload]).arrayBuffer();

/** Every machine that browsers run on writes the lowest byte first. */
const lengthOf = ({ length }: ArrayLike<unknown>): BlobPart => new BigUint64Array([BigInt(length)]);

/** Return one value of a column, packed: as many bytes as the largest value needs, lowest first. */
export function pack(value: bigint, below: bigint): string {
  const bytes: number[] = [];
  for (let rest = below - 1n; rest || !bytes.length; rest >>= 8n, value >>= 8n) bytes.push(Number(value & 255n));
  return b64(bytes);
}

/** Names and packed values, in the survey's order, which objects do not keep for names such as "7". */
type Columns = readonly (readonly [name: string, value: string])[];

const columnsText = (columns: Columns): string =>
  `{${columns.map((column) => column.map((text) => JSON.stringify(text)).join(":")).join(",")}}`;

/** Return the body of `POST /v1/reports` for one report. */
export function reportBody(manifest: string, id: string, columns: Columns, attributes: Columns): string {
  const start = JSON.stringify({ v: VERSION, manifest, ids: id }).slice(0, -1);
  const publics = attributes.length ? `,"attributes":${columnsText(attributes)}` : "";
  return `${start},"columns":${columnsText(columns)}${publics}}`;
}

/** Return the body of `POST /v1/withdrawals` for one report. */
export const withdrawalBody = (survey: string, id: string): string =>
  JSON.stringify({ v: VERSION, survey, ids: id });
