/** One survey on one device: its settings, its store, and which manifest it follows. */

import type { Link } from "./link.js";
import type { Outcome } from "./outcome.js";
import { refuse, refuseManifest } from "./refusal.js";
import { deviceStore } from "./store/device.js";
import { CALM, type Manifest, type Standing, type State, type Store } from "./store/state.js";
import { parseSurvey, type Survey } from "./survey.js";
import { type Bytes, verify } from "./wire.js";
import { type Ratio, ratio } from "./ratio.js";

export interface Device {
  readonly link: Link;
  readonly store: Store;
  readonly caps: { readonly question: Ratio; readonly publisher: Ratio; readonly device: Ratio; readonly delta: Ratio };
  readonly mustConsent: boolean;
  readonly timeoutSeconds: number;
  /** Returns the survey as its server says that it is now; a page may load what does. */
  readonly fetched: (device: Device) => Promise<Survey>;
  /** Verified surveys by their envelope, for as long as the page lives. */
  readonly verified: Map<Bytes | string, Promise<Survey>>;
}

/** Six and eight answers by two coins; and a chance for ten answers at the usual one in a million. */
export const USUAL: Device["caps"] = { question: ratio(9n), publisher: ratio(729n), device: ratio(6561n), delta: ratio(1n, 100_000n) };

/** Return a survey on this device, with the usual settings but for those that are given. */
export function deviceOf(link: Link, settings: Pick<Device, "fetched"> & Partial<Device>): Device {
  if (!globalThis.crypto?.subtle) refuse("misconfigured", "no WebCrypto; is it https?");
  return { link, store: deviceStore, caps: USUAL, mustConsent: false, timeoutSeconds: 10, verified: new Map(), ...settings };
}

/** Return what tells whether a record is of the device's survey. */
export const isOf =
  ({ link }: Pick<Device, "link">) =>
  ({ publisher, survey }: Pick<Standing, "publisher" | "survey">): boolean =>
    publisher === link.publisher && survey === link.survey;

/** Return where the survey stands, to be read or to be changed. */
export function standing(device: Pick<Device, "link">, state: State): Standing {
  const { publisher, survey } = device.link;
  let known = state.surveys.find(isOf(device));
  if (!known) state.surveys.push((known = { publisher, survey, manifests: [], consent: null, isClosed: false, ...CALM }));
  return known;
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
    return known.then((survey) => (survey.digest === digest ? [survey] : []), (error: { outcome?: Outcome }) => {
      if (error.outcome === "refused-manifest") return [];
      throw error;
    });
  });
  return (await Promise.all(found)).flat();
}

export const newest = (known: Survey[]): Survey | undefined => known.at(-1);

/** Verify an envelope, store it if it follows from what this device has seen, and return its survey. */
export async function accept(device: Device, envelope: Bytes): Promise<Survey> {
  const survey = await verified(device, envelope);
  const { digest, version } = survey;
  let seen: readonly Manifest[] = [];
  for (let missed: readonly Manifest[] = []; ; missed = await (await import("./versions.js")).missed(device, survey, seen)) {
    const isDone = await device.store.transact((state) => {
      const now = standing(device, state);
      const { manifests } = now;
      const isNew = manifests.at(-1)?.digest !== digest;
      if (isNew && manifests.length !== seen.length) {
        seen = manifests;
        return false;
      }
      if (isNew) now.manifests = [...seen, ...missed, { digest, version, envelope }];
      now.isClosed = false;
      return true;
    });
    if (isDone) return survey;
  }
}
