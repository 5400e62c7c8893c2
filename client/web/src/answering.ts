/**
 * The one place where a true answer is used: validate, check, reserve, toss, store, inside one
 * transaction. The truth lives in local variables only. All that can fail is tried before a coin is
 * tossed: entries and reports are written first, then the coins fill the reports.
 */

import type { Coins } from "./coins.js";
import { type Device, standing } from "./device.js";
import type { Place } from "./kinds/base.js";
import { isAbove, spent } from "./ratio.js";
import { refuse } from "./refusal.js";
import type { Entry, Report, State } from "./store/state.js";
import type { Question, Survey } from "./survey.js";
import { b64, isObject, pack, reportBody } from "./wire.js";

/** Answers as places among those declared, and indexes of public attributes in their order. */
export interface Validated {
  readonly places: ReadonlyMap<Question, Place>;
  readonly attributes: Readonly<Record<string, number>>;
}

/** What may be done about some questions now. */
export interface Due {
  readonly toss: readonly Question[];
  /** What is kept of a topic, to be reported again; only in later waves. */
  readonly again: ReadonlyMap<Question, bigint>;
  /** Returns a report from what is kept, or keeps what it tosses; only in waves. */
  value?(question: Question, place: Place | undefined, coins: () => Coins): bigint;
  /** Writes what is kept, blank, before the toss. */
  reserve?(): void;
}

/** What is on its way into the store: reports to be filled. */
export interface Reserved {
  tossAll(): void;
}

/** Refuse if the respondent has not agreed, or the survey is closed. */
export function checkAnswerable(device: Device, state: State): void {
  const { consent, isClosed } = standing(device, state);
  if (consent === false || (consent === null && device.mustConsent)) refuse("no-consent", "not agreed");
  if (isClosed) refuse("closed", "by the server");
}

/** Return where the answers lie among those declared; a refusal never shows one. */
export function validate(survey: Survey, answers: unknown, isRepeat = false): Validated {
  const given = new Map(isObject(answers) ? Object.entries(answers) : refuse("refused-answer", "no object"));
  const asked = isRepeat ? [] : survey.questions.filter((question) => given.has(question.id));
  const publics = survey.waves ? survey.attributes.slice(0, -1) : survey.attributes;
  const isWhole = survey.linkage === "none" ? asked.length : asked.length === survey.questions.length;
  if (!(isWhole || isRepeat) || given.size !== asked.length + publics.length) {
    refuse("refused-answer", "not the questions and attributes asked");
  }
  const attributes = publics.map(({ id, options }) => {
    const at = options.findIndex((option) => option.id === given.get(id));
    return [id, at < 0 ? refuse("refused-answer", id) : at] as const;
  });
  const places = asked.map((question) => {
    const place = question.kind.place(given.get(question.id));
    return [question, place ?? refuse("refused-answer", question.id)] as const;
  });
  return { places: new Map(places), attributes: Object.fromEntries(attributes) };
}

/** Return the entries of a topic of the link's publisher. */
export const past = ({ link }: Device, state: State, { topic }: Question): Entry[] =>
  state.ledger.filter((entry) => entry.publisher === link.publisher && entry.topic === topic);

/** Return what may be done in a survey without waves: toss for topics that are new to this device. */
export function due(device: Device, state: State, questions: readonly Question[]): Due {
  return { toss: questions.filter((question) => !past(device, state, question).length), again: new Map() };
}

/** Refuse a toss that costs more than is allowed for one question, or for life. */
export function checkCaps(device: Device, state: State, fresh: readonly Question[]): void {
  const { caps, link } = device;
  for (const question of fresh) {
    const ever = spent([...past(device, state, question), question.tossed]);
    if (isAbove(question.cost, caps.question) || isAbove(ever.odds, caps.question)) {
      refuse("refused-cap", `questionCap: ${question.id}`);
    }
  }
  const tosses = fresh.map(({ tossed }) => tossed);
  const mine = state.ledger.filter(({ publisher }) => publisher === link.publisher);
  const all = spent([...state.ledger, ...tosses]);
  if (isAbove(spent([...mine, ...tosses]).odds, caps.publisher)) refuse("refused-cap", "publisherCap");
  if (isAbove(all.odds, caps.device)) refuse("refused-cap", "deviceCap");
  if (spent(tosses).delta.n && isAbove(all.delta, caps.delta)) refuse("refused-cap", "deltaCap");
}

/**
 * Write entries and blank reports; return what fills them.
 *
 * @param known Questions to toss for, and those to report again.
 * @param wave From 1; 0 without waves.
 */
export function reserve(device: Device, state: State, survey: Survey, given: Validated, known: Due, wave: number): Reserved {
  const { publisher } = device.link;
  const asked = [...known.toss, ...known.again.keys()];
  for (const { topic, tossed } of asked) {
    const isFresh = known.toss.some((question) => question.topic === topic);
    const { odds, delta } = spent(isFresh ? [tossed] : []);
    state.ledger.push({ publisher, topic, survey: survey.survey, odds, delta, wave });
  }
  known.reserve?.();
  const attributes = survey.attributes.map(({ id, options }): [string, string] => {
    return [id, pack(BigInt(given.attributes[id] ?? wave - 1), BigInt(options.length))];
  });
  const body = (id: string, questions: readonly Question[], value: (question: Question) => bigint): string => {
    const columns = questions.map((question): [string, string] => {
      return [question.id, pack(value(question), question.randomizer.reports)];
    });
    return reportBody(survey.digest, id, columns, attributes);
  };
  const together = survey.linkage === "joint" ? [survey.questions] : asked.map((question) => [question]);
  const reports = together.map((questions): [Report, readonly Question[]] => {
    const id = b64(crypto.getRandomValues(new Uint8Array(16)));
    const blank = body(id, questions, () => 0n);
    return [{ id, publisher, survey: survey.survey, body: blank, state: "pending", code: "", attempted: false }, questions];
  });
  state.outbox.push(...reports.map(([report]) => report));
  return {
    tossAll() {
      for (const [report, questions] of reports) {
        report.body = body(report.id, questions, (question) => toss(question, given.places.get(question), known));
      }
    },
  };
}

function toss(question: Question, place: Place | undefined, known: Due): bigint {
  if (known.value) return known.value(question, place, question.coins);
  const coins = question.coins();
  return question.randomizer.randomize(question.kind.index(place as Place, question.randomizer, coins), coins);
}
