/** One survey on one device: its settings, its store, and which manifest it follows. */

import type { Link } from "./link.js";
import { refuse, refuseManifest, Refusal } from "./refusal.js";
import { deviceStore } from "./store/device.js";
import { CALM, type Standing, type State, type Store } from "./store/state.js";
import { parseSurvey, type Survey } from "./survey.js";
import { ask } from "./upload.js";
import { judge } from "./verdicts.js";
import { type Bytes, MANIFEST_TYPE, verify } from "./wire.js";
import { type Ratio, ratio } from "./ratio.js";

export interface Device {
  readonly link: Link;
  readonly store: Store;
  readonly caps: { readonly question: Ratio; readonly publisher: Ratio; readonly device: Ratio; readonly delta: Ratio };
  readonly mustConsent: boolean;
  readonly timeoutSeconds: number;
  /** Verified surveys by their envelope, for as long as the page lives. */
  readonly verified: Map<Bytes | string, Promise<Survey>>;
}

/** Six and eight answers by two coins; and a chance for ten answers at the usual one in a million. */
export const USUAL: Device["caps"] = { question: ratio(9n), publisher: ratio(729n), device: ratio(6561n), delta: ratio(1n, 100_000n) };

/** Return a survey on this device, with the usual settings but for those that are given. */
export function deviceOf(link: Link, settings: Partial<Device> = {}): Device {
  if (!globalThis.crypto?.subtle) refuse("misconfigured", "no WebCrypto; is it https?");
  return { link, store: deviceStore, caps: USUAL, mustConsent: false, timeoutSeconds: 10, verified: new Map(), ...settings };
}

/** Return where the survey stands, to be read or to be changed. */
export function standing({ link }: Pick<Device, "link">, state: State): Standing {
  return (state.surveys[`${link.publisher}/${link.survey}`] ??= {
    manifests: [],
    consent: null,
    isClosed: false,
    ...CALM,
  });
}

/** Return the survey of an envelope, if the link's publisher signed it for the link's survey. */
export async function verified(device: Device, envelope: Bytes): Promise<Survey> {
  const { key, publisher, survey: id } = device.link;
  const survey = await parseSurvey(await verify(envelope, key));
  if (survey.publisher.key !== publisher) refuseManifest("another publisher key");
  if (survey.survey !== id) refuseManifest("another survey");
  device.verified.set(survey.digest, Promise.resolve(survey));
  return survey;
}

/** Return the stored versions that can be trusted, from the oldest to the newest. */
export async function versions(device: Device, state: State): Promise<Survey[]> {
  const found = standing(device, state).manifests.map(({ digest, envelope }) => {
    const known = device.verified.get(digest) ?? verified(device, envelope);
    return known.then((survey) => (survey.digest === digest ? [survey] : []), (error: unknown) => {
      if (error instanceof Refusal && error.outcome === "refused-manifest") return [];
      throw error;
    });
  });
  return (await Promise.all(found)).flat();
}

export const newest = (known: Survey[]): Survey | undefined => known[known.length - 1];

/**
 * Fetch the survey, verify it and store it; fall back to the stored one when offline.
 *
 * @throws Refusal if there is none to trust, or the server says that it is closed.
 */
export async function fetchSurvey(device: Device): Promise<Survey> {
  const { link, store } = device;
  const answer = await ask(device, `/v1/surveys/${link.survey}`, MANIFEST_TYPE);
  if (answer.status === 200 && answer.type === MANIFEST_TYPE) return accept(device, answer.body);
  const { code } = await judge(answer);
  if (code === "survey-unknown") refuse("misconfigured", code);
  const isClosed = await store.transact((state) => {
    const now = standing(device, state);
    if (code === "survey-closed") now.isClosed = true;
    else now.problem = code === "offline" ? code : "not-our-server";
    return now.isClosed;
  });
  if (isClosed) refuse("closed", "by the server");
  return newest(await versions(device, await store.read())) ?? refuse("unreachable", code);
}

/** Verify an envelope, store it if it follows from what this device has seen, and return its survey. */
async function accept(device: Device, envelope: Bytes): Promise<Survey> {
  const survey = await verified(device, envelope);
  for (;;) {
    const seen = standing(device, await device.store.read()).manifests;
    const last = seen[seen.length - 1];
    const isNew = last?.digest !== survey.digest;
    const missed = last && isNew ? await (await import("./versions.js")).missed(device, survey, seen) : [];
    const isDone = await device.store.transact((state) => {
      const now = standing(device, state);
      if (now.manifests.length !== seen.length) return false;
      if (isNew) now.manifests.push(...missed, { digest: survey.digest, version: survey.version, envelope });
      now.isClosed = false;
      return true;
    });
    if (isDone) return survey;
  }
}
