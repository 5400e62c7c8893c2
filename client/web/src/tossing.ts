/** An answer, from what was given to what is stored: which questions are due, the toss, and the reports. */

import { checkAnswerable, checkCaps, type Due, due, reserve, validate } from "./answering.js";
import { checkDays } from "./days.js";
import { type Device, newest, standing, versions } from "./device.js";
import { refuse } from "./refusal.js";
import type { State } from "./store/state.js";
import type { Question, Survey } from "./survey.js";

/** Which wave an answer is for, and which version of the survey was shown. */
export interface How {
  readonly wave?: number;
  readonly manifest?: string;
}

/** How a survey asks: once, or in waves. */
export interface Asking {
  /** Do what must be durable before an answer is looked at. */
  begin?(device: Device, state: State): void;
  /** Return what may be done now, and in which wave, from 1; 0 without waves. */
  due(device: Device, state: State, asked: readonly Question[], wave: number | undefined, isRepeat: boolean): [Due, number];
}

const once = ({ linkage, questions }: Survey): Asking => ({
  due(device, state, asked, wave, isRepeat) {
    if (wave !== undefined) refuse("refused-answer", "no waves");
    if (isRepeat) refuse("not-asked", "no waves");
    const found = due(device, state, asked);
    const { length } = found.toss;
    if (!length || (linkage === "joint" && length !== questions.length)) refuse("already-answered", "all topics");
    return [found, 0];
  },
});

/** Toss, or report again, and store the reports durably. */
export async function toss(device: Device, answers: unknown, { wave, manifest }: How = {}, isRepeat = false): Promise<void> {
  for (;;) {
    const before = await device.store.read();
    checkAnswerable(device, before);
    const known = await versions(device, before);
    const survey = newest(known);
    if (!survey) {
      await device.fetched(device);
      continue;
    }
    const asking = survey.waves ? (await import("./waves.js")).inWaves(survey, survey.waves) : once(survey);
    const raises = known.length > 1 && (await import("./versions.js"));
    if (asking.begin) await device.store.transact((state) => asking.begin?.(device, state));
    const isDone = await device.store.transact(
      (state) => {
        checkAnswerable(device, state);
        if (standing(device, state).manifests.length !== standing(device, before).manifests.length) return false;
        checkDays(survey);
        if (![undefined, survey.digest].includes(manifest)) refuse("preview-again", "another version");
        const given = validate(survey, answers, isRepeat);
        const [now, number] = asking.due(device, state, [...given.places.keys()], wave, isRepeat);
        checkCaps(device, state, now.toss);
        if (raises) raises.checkRaised(device, state, known, now.toss);
        return reserve(device, state, survey, given, now, number);
      },
      (reserved) => reserved && reserved.tossAll(),
    );
    if (!isDone) continue;
    if (device.store.isDurable) void navigator.storage?.persist?.().catch(() => false);
    return;
  }
}

/** Return the ids of the questions that may be asked now. */
export async function toAsk(device: Device): Promise<readonly string[]> {
  const state = await device.store.read();
  const { questions, linkage, waves } = newest(await versions(device, state)) ?? (await device.fetched(device));
  if (waves) return (await (await import("./status.js")).status(device)).waves?.toAsk ?? [];
  const found = due(device, state, questions).toss;
  return linkage === "none" || found.length === questions.length ? found.map((question) => question.id) : [];
}
