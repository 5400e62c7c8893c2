/**
 * New versions of a survey: whether one follows from those that this device has seen, and what it
 * asks more of a respondent. Loaded when there is a second version.
 */

import { type Device, standing, verified } from "./device.js";
import { inFull, isAbove, type Ratio } from "./ratio.js";
import { refuse, refuseManifest } from "./refusal.js";
import type { Manifest, State } from "./store/state.js";
import type { Question, Survey } from "./survey.js";
import { ask } from "./upload.js";
import { judge } from "./verdicts.js";
import { MANIFEST_TYPE } from "./wire.js";

/** How many versions a device may have missed and still follow. */
const MISSED = 16;

/**
 * Return the versions between those seen and a newer one, fetched and verified, the oldest first.
 *
 * @throws Refusal if the newer one does not follow from them.
 */
export async function missed(device: Device, survey: Survey, seen: readonly Manifest[]): Promise<readonly Manifest[]> {
  const found: Manifest[] = [];
  for (let next = survey; ; ) {
    if (follows(seen, next)) return found;
    const digest = next.previous as string;
    if (found.length === MISSED) refuseManifest(`more than ${MISSED} versions are new to this device`);
    const answer = await ask(device, `/v1/manifests/${digest}`);
    const code = answer.status === 200 && answer.type === MANIFEST_TYPE ? "" : (await judge(answer)).code;
    if (code === "manifest-unknown") refuseManifest("the server does not hold the version before");
    if (code) refuse("unreachable", `a version that this device missed was not got: ${code}`);
    next = await verified(device, answer.body);
    if (next.digest !== digest) refuseManifest("the server gives another version than it names");
    found.unshift({ digest, version: next.version, envelope: answer.body });
  }
}

/** Return whether the version before one has been seen; refuse it if it contradicts those seen. */
function follows(seen: readonly Manifest[], { version, previous, digest }: Survey): boolean {
  const latest = Math.max(...seen.map((manifest) => manifest.version));
  const isSeen = seen.some((manifest) => manifest.digest === digest);
  if (version < latest) refuseManifest(`version ${version} is older than one that this device has seen`);
  if (version === latest && !isSeen) refuseManifest(`two manifests claim to be version ${version}`);
  const before = seen.find((manifest) => manifest.version === version - 1);
  const named = seen.find((manifest) => manifest.digest === previous);
  if ((before && before.digest !== previous) || (named && named.version !== version - 1)) {
    refuseManifest(`version ${version} does not follow from those that this device has seen`);
  }
  return !!before || isSeen;
}

const ID = "[a-z0-9][a-z0-9_-]{0,63}";
const MEANING = new RegExp(`^(${ID}(\\.${ID})?|survey:title|survey:purpose)$`);

/** Refuse a list of what has other words than before and means the same, unless it is one. */
export function checkMeaning(value: unknown, version: unknown): void {
  const names = Array.isArray(value) && version !== 1 ? value : [];
  const isSorted = names.every((name, place) => typeof name === "string" && MEANING.test(name) && !(name <= names[place - 1]));
  if (!names.length || !isSorted) refuseManifest("same_meaning");
}

/** What a new version asks more for a question. */
export interface Raise {
  readonly knownCost: Ratio;
  readonly knownChance: Ratio;
  readonly isDearer: boolean;
  /** In words, what was promised of reports and is not any more. */
  readonly changes: readonly string[];
}

interface Promises {
  /** Whether results are private, or else when they are shown. */
  seen: Seen;
  retentionDays: number;
  linkage: Survey["linkage"];
}

type Seen = "live" | "daily" | "closed" | "private";

/** Whom results are shown to and when: what shows them to more, or sooner, comes first. */
const SEEN: readonly Seen[] = ["live", "daily", "closed", "private"];

const WHEN = { live: "as reports come in", daily: "once a day", closed: "once the survey is closed" };

const LINKED = {
  joint: "each answer travelled alone, and all answers of a respondent travel together now",
  none: "all answers of a respondent travelled together, and each travels alone now",
};

const shown = (survey: Survey, question: Question): string => `${survey.digest} ${question.id}`;

const least = (a: Ratio | undefined, b: Ratio): Ratio => (a && !isAbove(a, b) ? a : b);

/** Return what the last version asks more, for those questions where it does. */
export function raised(device: Device, state: State, versions: readonly Survey[]): Map<Question, Raise> {
  const { previewed = [] } = standing(device, state);
  const found = new Map<Question, Raise>();
  const last = versions[versions.length - 1] as Survey;
  for (const question of last.questions) {
    let cost: Ratio | undefined;
    let chance: Ratio | undefined;
    let promises: Promises | undefined;
    for (const survey of versions) {
      const alike = survey.questions.filter((one) => one.id === question.id || one.topic === question.topic);
      const wasShown = alike.some((one) => previewed.includes(shown(survey, one)));
      promises = strictest(wasShown ? undefined : promises, survey);
      if (wasShown) cost = chance = undefined;
      for (const one of alike) {
        cost = least(cost, one.cost);
        chance = least(chance, one.chance);
      }
    }
    const [knownCost, knownChance] = [cost as Ratio, chance as Ratio];
    const isDearer = isAbove(question.cost, knownCost) || isAbove(question.chance, knownChance);
    const changes = takenBack(promises as Promises, last);
    if (isDearer || changes.length) found.set(question, { knownCost, knownChance, isDearer, changes });
  }
  return found;
}

function promised({ results, shown: when, retention_days: retentionDays, linkage }: Survey): Promises {
  return { seen: results === "private" ? results : (when ?? "live"), retentionDays, linkage };
}

const later = (a: Seen, b: Seen): Seen => (SEEN.indexOf(a) < SEEN.indexOf(b) ? b : a);

function strictest(known: Promises | undefined, survey: Survey): Promises {
  const made = promised(survey);
  if (!known) return made;
  return {
    seen: later(known.seen, made.seen),
    retentionDays: Math.min(known.retentionDays, made.retentionDays),
    linkage: known.linkage,
  };
}

function takenBack(known: Promises, survey: Survey): string[] {
  const { seen, retentionDays, linkage } = promised(survey);
  const found: string[] = [];
  if (seen !== "private" && later(known.seen, seen) !== seen) {
    found.push(
      known.seen === "private"
        ? "results were private and are public now"
        : `public results were shown ${WHEN[known.seen]}, and are ${WHEN[seen]} now`,
    );
  }
  if (retentionDays > known.retentionDays) {
    found.push(`single reports were kept for ${known.retentionDays} days and are for ${retentionDays} now`);
  }
  if (linkage !== known.linkage) found.push(LINKED[linkage]);
  return found;
}

/** Refuse to toss for a question that asks more than was known of it. */
export function checkRaised(device: Device, state: State, versions: readonly Survey[], fresh: readonly Question[]): void {
  for (const [question, { isDearer, knownCost, changes }] of raised(device, state, versions)) {
    if (!fresh.includes(question)) continue;
    const dearer = isDearer ? [`question ${question.id} costs ${inFull(question.cost)}, and cost ${inFull(knownCost)}`] : [];
    refuse("odds-raised", `${[...dearer, ...changes].join(", and ")}; show preview() first`);
  }
}

/** Remember that questions of the last version have been previewed. */
export function notePreview(device: Device, state: State, survey: Survey, asked: Iterable<Question>): void {
  const now = standing(device, state);
  now.previewed = [...new Set([...(now.previewed ?? []), ...[...asked].map((question) => shown(survey, question))])];
}
