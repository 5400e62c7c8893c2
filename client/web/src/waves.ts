/**
 * The same questions wave after wave: when they are asked, what a device keeps, and what it may do
 * in each wave. Loaded for surveys with waves alone.
 */

import { type Due, past } from "./answering.js";
import { Coins } from "./coins.js";
import { checkDays, dayNumber } from "./days.js";
import { type Device, standing } from "./device.js";
import type { Mechanism } from "./mechanisms/base.js";
import { isDay } from "./offers.js";
import { ratio, times as product, ZERO } from "./ratio.js";
import { refuse, refuseManifest } from "./refusal.js";
import { power } from "./sampling/spec.js";
import type { Entry, Kept, State } from "./store/state.js";
import type { Attribute, Question, Survey, Tossed } from "./survey.js";
import type { Asking } from "./tossing.js";
import { hasKeys } from "./wire.js";

/** When a survey asks again, and whether a device tosses again. */
export interface Waves {
  /** How many waves there are at most, from 2 to 256. */
  readonly count: number;
  /** The first day of the first wave (UTC), and how many days each wave has. */
  readonly first: string;
  readonly days: number;
  /** null: a device tosses once for life; a number: afresh in so many waves, which coins choose. */
  readonly times: number | null;
  /** Return what a device tosses, and its cost over all waves. Refuses what would mark a device. */
  tossed(mechanism: Mechanism): Tossed;
}

/** What is to be done in the wave that is on. */
export interface WaveStatus {
  /** The wave that is on today, by this device's clock (UTC); null before, after and between. */
  readonly now: number | null;
  readonly last: number;
  /** The waves in which this device may report: all, or those that its coins chose. */
  readonly askedIn: readonly number[];
  /** Ids of questions to be asked now. */
  readonly toAsk: readonly string[];
  /** Ids of questions whose kept report can be sent again now, by `repeat()`, without asking. */
  readonly toRepeat: readonly string[];
}

/** Many devices must have a report in common that is sent again in every wave. */
const MOST_RESENT = 32n;

const isFrom = (value: unknown, least: number, most: number): value is number =>
  Number.isInteger(value) && (value as number) >= least && (value as number) <= most;

export function parseWaves(value: unknown, attributes: readonly Attribute[], isJoint: boolean): Waves {
  if (!hasKeys(value, "count first days times")) refuseManifest("waves have count, first, days and times");
  const { count, first, days, times } = value;
  if (!isFrom(count, 2, 256) || !isFrom(days, 1, 3660) || !isDay(first) || !(times === null || isFrom(times, 1, count))) {
    refuseManifest("waves: a number is out of range");
  }
  if (dayNumber("9999-12-31") - dayNumber(first) < count * days) refuseManifest("waves must end before the year 10000");
  const last = attributes[attributes.length - 1];
  const numbers = Array.from({ length: count }, (_, place) => `${place + 1}`);
  if (last?.id !== "wave" || last.options.map((option) => option.id).join() !== numbers.join()) {
    refuseManifest("the last attribute is wave, and its options are the waves");
  }
  if (times === null && isJoint) refuseManifest("the same answers together, wave after wave, would mark a device");
  const each = (mechanism: Mechanism): Mechanism => {
    const { memory, givenMemo, mostReports = 1 } = mechanism;
    if (givenMemo) {
      if (isJoint) refuseManifest("coins that are kept for all waves would mark a device");
      return times !== null && isFrom(times, 2, mostReports) ? givenMemo : refuseManifest("a memo needs waves.times");
    }
    if (times !== null) return memory ? refuseManifest("what keeps an answer for all waves takes no times") : mechanism;
    return memory ?? (mechanism.reports <= MOST_RESENT ? mechanism : refuseManifest("one of so many reports would mark a device"));
  };
  const tosses = times ?? 1;
  const tossed = (mechanism: Mechanism): Tossed => {
    const tossed = each(mechanism);
    const { odds, delta = ZERO } = tossed;
    return { tossed, cost: power(odds, tosses), chance: product(delta, ratio(BigInt(tosses))) };
  };
  return { count, first, days, times, tossed };
}

/** Return the wave that is on today; null if none is. */
function current({ first, days, count }: Waves): number | null {
  const wave = Math.floor((dayNumber() - dayNumber(first)) / days) + 1;
  return wave >= 1 && wave <= count ? wave : null;
}

/** Return the wave that an answer is for: the one given, or today's, if this device is asked in it. */
function turn(device: Device, state: State, waves: Waves, wave?: number): number {
  const wanted = wave ?? current(waves) ?? refuse("not-asked", "no wave is on today");
  if (!isFrom(wanted, 1, waves.count)) refuse("refused-answer", "a wave is a number from 1 on");
  return turns(device, state, waves).includes(wanted) ? wanted : refuse("not-asked", "coins chose other waves");
}

/** Return the waves in which this device is asked; coins choose them once, before any answer is seen. */
export function turns(device: Device, state: State, { count, times }: Waves): readonly number[] {
  const all = Array.from({ length: count }, (_, place) => place + 1);
  if (times === null || times === count) return all;
  const now = standing(device, state);
  const name = `${times} of ${count}`;
  const chosen = now.turns?.[name];
  if (chosen) return chosen;
  const fresh = choose(all, times, new Coins());
  now.turns = { ...now.turns, [name]: fresh };
  return fresh;
}

export function choose(rest: number[], times: number, coins: Coins): number[] {
  const chosen = Array.from({ length: times }, () => rest.splice(coins.below(rest.length), 1)[0] as number);
  return chosen.sort((a, b) => a - b);
}

/** Return how a survey asks in its waves. */
export const inWaves = (survey: Survey, waves: Waves): Asking => ({
  // A choice of waves is stored by itself: undone with a refused answer, it would be made again.
  begin: (device, state) => turns(device, state, waves),
  due(device, state, asked, wave, isRepeat) {
    const number = turn(device, state, waves, wave);
    if (isRepeat) return [again(device, state, survey, number), number];
    const found = dueIn(device, state, survey, number, asked);
    const fresh = found.toss.length;
    const isLacking = survey.linkage === "joint" && fresh !== survey.questions.length;
    if (isLacking || !(fresh + found.again.size)) refuse("already-answered", "all topics");
    return [found, number];
  },
});

/** Return what may be done about questions in a wave. */
function dueIn(device: Device, state: State, survey: Survey, wave: number, asked: readonly Question[]): Due {
  const { times } = survey.waves as Waves;
  const toss: Question[] = [];
  const again = new Map<Question, bigint>();
  for (const question of asked) {
    const entries = past(device, state, question);
    const kept = find(device, state, survey, question);
    const isOfThisSurvey = isNew(survey, entries, wave);
    // A question without its memo is not asked again: another memo would be a second memory.
    const hasMemo = !question.randomizer.givenMemo || kept;
    if (!entries.length || (times !== null && entries.length < times && isOfThisSurvey && hasMemo)) toss.push(question);
    else if (times === null && isOfThisSurvey && kept) again.set(question, BigInt(kept.value));
  }
  const isKept = (question: Question): boolean => times === null || !!question.randomizer.givenMemo;
  return {
    toss,
    again,
    reserve() {
      for (const question of toss) {
        if (isKept(question) && !find(device, state, survey, question)) state.memory.push(blank(device, survey, question));
      }
    },
    value(question, place, coins) {
      const { randomizer: mechanism, kind } = question;
      const found = find(device, state, survey, question);
      const kept = (make: () => bigint): bigint => BigInt(!found ? make() : (found.value ||= `${make()}`));
      const index = (own: Coins): bigint => kind.index(place as never, mechanism, own);
      if (mechanism.givenMemo) {
        const memo = kept(() => (mechanism.memo as NonNullable<typeof mechanism.memo>)(coins()));
        const own = coins();
        return (mechanism.through as NonNullable<typeof mechanism.through>)(memo, index(own), own);
      }
      const tossed = (): bigint => {
        const own = coins();
        return question.tossed.randomize(index(own), own);
      };
      const value = isKept(question) ? kept(tossed) : tossed();
      return times === null && mechanism.again ? mechanism.again(value, coins()) : value;
    },
  };
}

/** Return whether all that is known of a topic is from other waves of the same survey. */
const isNew = (survey: Survey, entries: readonly Entry[], wave: number): boolean =>
  entries.every((entry) => entry.survey === survey.survey && entry.wave !== 0 && entry.wave !== wave);

/** Return what of a survey may be reported again in a wave, if there is anything. */
function again(device: Device, state: State, survey: Survey, wave: number): Due {
  const known = dueIn(device, state, survey, wave, survey.questions);
  const isDone = survey.questions.some((question) => isReported(device, state, survey, question, wave));
  if (!known.again.size) refuse(isDone ? "already-answered" : "not-asked", "nothing is kept");
  return { ...known, toss: [] };
}

/** Return whether a question has been answered, or reported again, in a wave. */
function isReported(device: Device, state: State, survey: Survey, question: Question, wave: number): boolean {
  const entries = past(device, state, question);
  return entries.length > 0 && !isNew(survey, entries, wave);
}

function blank({ link }: Device, { survey }: Survey, question: Question): Kept {
  // What is kept belongs to a design: a version with another one cannot use it.
  const { id, topic, text, unit, options, kind, randomizer, coins, tossed, cost, chance, ...stated } = question;
  return { publisher: link.publisher, topic, survey, design: JSON.stringify([kind.options, stated]), value: "" };
}

function find(device: Device, state: State, survey: Survey, question: Question): Kept | undefined {
  const { publisher, topic, survey: id, design } = blank(device, survey, question);
  return state.memory.find(
    (kept) => kept.publisher === publisher && kept.topic === topic && kept.survey === id && kept.design === design,
  );
}

/** Return what is to be done in the wave that is on. */
export function waveStatus(device: Device, state: State, survey: Survey, isShut: boolean): WaveStatus {
  const waves = survey.waves as Waves;
  const now = current(waves);
  const askedIn = turns(device, state, waves);
  const isOpen = now !== null && !isShut && askedIn.includes(now) && isOn(survey);
  const known = isOpen ? dueIn(device, state, survey, now, survey.questions) : { toss: [], again: new Map<Question, bigint>() };
  const ids = (questions: Iterable<Question>): string[] => [...questions].map((question) => question.id);
  return { now, last: waves.count, askedIn, toAsk: ids(known.toss), toRepeat: ids(known.again.keys()) };
}

function isOn(survey: Survey): boolean {
  try {
    checkDays(survey);
    return true;
  } catch {
    return false;
  }
}
