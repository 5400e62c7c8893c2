/** Exactly what can be sent, and with which odds, before anything is tossed. It sees no answer. */

import { type Device, newest, versions } from "./device.js";
import type { Stated } from "./mechanisms/base.js";
import { type Ratio, spent } from "./ratio.js";
import { refuse } from "./refusal.js";
import type { Question, Survey } from "./survey.js";

/** What can be sent for one question. */
export interface QuestionPreview {
  readonly question: Question;
  /** What all that is sent about it costs, and the chance for which it may cost more. */
  readonly odds: Ratio;
  readonly delta: Ratio;
  /** The odds of a single report. */
  readonly oneReport: Ratio;
  /** The exact chances of reports, where the mechanism states them. */
  readonly stated?: Stated;
  /** What was known of the cost, where a new version raises it. */
  readonly raisedFrom?: Ratio;
}

export interface Preview {
  readonly survey: Survey;
  readonly questions: readonly QuestionPreview[];
  readonly odds: Ratio;
  readonly delta: Ratio;
  readonly travelsTogether: boolean;
  /** What was promised of reports in versions that this device knew, and is not in this one. */
  readonly changes: readonly string[];
}

/** Return what answering these questions, or all of them, can send. */
export async function preview(device: Device, names?: readonly string[]): Promise<Preview> {
  const known = await versions(device, await device.store.read());
  const survey = newest(known) ?? (await device.fetched(device));
  const { questions, attributes, linkage } = survey;
  const ids = [...questions, ...attributes].map((part) => part.id);
  const named = names ? questions.filter((question) => names.includes(question.id)) : questions;
  if (!named.length || !names?.every((name) => ids.includes(name)) === !!names) {
    refuse("refused-answer", "the survey asks no such question");
  }
  const asked = linkage === "joint" ? questions : named;
  const raises = known.length > 1 && (await import("./versions.js"));
  const found = raises
    ? await device.store.transact((state) => {
        const all = raises.raised(device, state, known);
        raises.notePreview(device, state, survey, asked.filter((question) => all.has(question)));
        return all;
      })
    : undefined;
  return {
    survey,
    questions: asked.map((question) => {
      const { cost, chance, tossed, randomizer } = question;
      const raise = found?.get(question);
      const stated = randomizer.stated?.();
      return {
        question,
        odds: cost,
        delta: chance,
        oneReport: tossed.odds,
        ...(stated && { stated }),
        ...(raise?.isDearer && { raisedFrom: raise.knownCost }),
      };
    }),
    ...spent(asked.map(({ cost, chance }) => ({ odds: cost, delta: chance }))),
    travelsTogether: linkage === "joint",
    changes: [...new Set(asked.flatMap((question) => found?.get(question)?.changes ?? []))],
  };
}
