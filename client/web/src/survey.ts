/**
 * The survey manifest as values: what is asked, with which coins, and what it costs. Parsing is as
 * strict as Python's `Survey.parse`: what is not exactly what it writes is refused.
 */

import type { Kind } from "./kinds/base.js";
import { KINDS, ofOptions } from "./kinds/index.js";
import type { Mechanism } from "./mechanisms/base.js";
import { load } from "./mechanisms/index.js";
import { inFull, ONE, plus, power, type Ratio, ratio, times, ZERO } from "./ratio.js";
import { refuseManifest } from "./refusal.js";
import type { Waves } from "./waves.js";
import { type Bytes, hasKeys, parse, sha256, unb64url } from "./wire.js";

/** Texts by language, in the order of the survey's languages. */
export type Text = Readonly<Record<string, string>>;

export interface Option {
  readonly id: string;
  readonly label: Text;
}

/** A public attribute, such as a region: sent as it is, not randomized. */
export interface Attribute {
  readonly id: string;
  readonly text: Text;
  readonly options: readonly Option[];
}

/** A question whose answer is randomized on the device: its fields in the manifest, and their meaning. */
export interface Question {
  readonly id: string;
  /** What a device answers once for life; two wordings of the same question share it. */
  readonly topic: string;
  readonly text: Text;
  /** None for yes or no, numbers, vectors and texts. */
  readonly options?: readonly Option[];
  /** As the manifest states it: its name and its parameters. */
  readonly mechanism: Readonly<Record<string, unknown>>;
  readonly kind: Kind;
  readonly randomizer: Mechanism;
  /** What a device tosses for an answer: a ledger is charged its odds and its chance. */
  readonly tossed: Mechanism;
  /** The exact odds of all that is ever sent about it, over all waves. */
  readonly cost: Ratio;
  /** The chance for which these odds are not promised, over all waves. */
  readonly chance: Ratio;
}

/** A survey as its publisher signed it: the manifest's fields, and what was found of them. */
export interface Survey {
  /** The survey's id. */
  readonly survey: string;
  /** SHA-256 of the signed bytes: the name of this manifest everywhere. */
  readonly digest: string;
  readonly version: number;
  readonly previous: string | null;
  readonly publisher: { readonly name: string; readonly key: string; readonly contact: string };
  readonly title: Text;
  readonly purpose: Text;
  readonly languages: readonly string[];
  readonly questions: readonly Question[];
  readonly attributes: readonly Attribute[];
  readonly linkage: "none" | "joint";
  readonly odds: string;
  readonly epsilon: string;
  readonly delta: string;
  readonly minimum_batch: number;
  /** First and last day on which answers are given (UTC), as `2027-01-31`. */
  readonly opens: string | null;
  readonly closes: string | null;
  readonly late_days?: number;
  readonly retention_days: number;
  readonly results: "public" | "private";
  readonly waves?: Waves;
}

type Json = Record<string, unknown>;

const FIELDS =
  "v survey version previous publisher title purpose languages questions attributes linkage odds epsilon" +
  " delta minimum_batch opens closes late_days? retention_days results waves? same_meaning? requires";
const IDS = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const LANGUAGE = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,2}$/;
/** Controls, halves of characters, and what turns the direction of a text that follows. */
const FAULTS = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u;

const isId = (value: unknown): value is string => typeof value === "string" && IDS.test(value);

/** Refuse a manifest, by the name of what is wrong in it. */
function check(isRight: unknown, what: string): asserts isRight {
  if (!isRight) refuseManifest(what);
}

/**
 * Return the survey of a manifest's payload.
 *
 * @throws Refusal if it is not exactly what Python writes for some survey, or asks what this
 *   version cannot toss for.
 */
export async function parseSurvey(payload: Bytes): Promise<Survey> {
  const given = object(parse(payload), FIELDS, "manifest");
  check(given["v"] === 1, "v");
  const languages = list(given["languages"], 1, Infinity) as string[];
  check(languages.every((tag) => typeof tag === "string" && LANGUAGE.test(tag)), "languages");
  differ(languages, "languages");
  const text = (value: unknown, hasLines?: boolean): void => {
    check(hasKeys(value, languages.join(" ")), "texts in all languages");
    for (const word of Object.values(value)) words(word, hasLines);
  };
  const options = (value: unknown, most: number): string[] => {
    const found = list(value, 0, most).map((option) => {
      const { id, label } = object(option, "id label", "option");
      text(label);
      return id as string;
    });
    ids(found);
    return found;
  };
  let groups = 1;
  for (const value of list(given["attributes"], 0, Infinity)) {
    const part = object(value, "id text options", "attribute");
    text(part["text"], true);
    const offered = options(part["options"], 256).length;
    check(offered > 1 && (groups *= offered) <= 1024, "attribute options");
  }
  const attributes = given["attributes"] as Attribute[];
  const { survey: id, version, previous, publisher, opens, closes } = given;
  const isJoint = oneOf(given["linkage"], "none", "joint") === "joint";
  const waves = "waves" in given && (await import("./waves.js")).parseWaves(given["waves"], attributes, isJoint);
  check(waves || !attributes.some((attribute) => attribute.id === "wave"), "wave");
  const { name, key, contact } = object(publisher, "name key contact", "publisher");
  words(name);
  words(contact);
  check(unb64url(key)?.length === 32, "publisher key");
  const tosses = waves ? waves.tosses : 1;
  const questions = await Promise.all(
    list(given["questions"], 1, 64).map(async (value): Promise<Question> => {
      const question = await readQuestion(object(value), text, options);
      const tossed = waves ? waves.tossed(question.randomizer) : question.randomizer;
      const { odds, delta } = tossed;
      return { ...question, tossed, cost: power(odds, tosses), chance: delta ? times(delta, ratio(BigInt(tosses))) : ZERO };
    }),
  );
  check(isId(id), "survey");
  ids(questions.map((question) => question.topic));
  ids([...questions, ...attributes].map((part) => part.id));
  integer(version, 1, 1e6);
  check(version === 1 ? previous === null : typeof previous === "string" && /^[0-9a-f]{64}$/.test(previous), "version");
  text(given["title"]);
  text(given["purpose"], true);
  integer(given["minimum_batch"], 1, 1e9);
  integer(given["retention_days"], 1, 36_500);
  oneOf(given["results"], "public", "private");
  for (const end of [opens, closes]) check(end === null || isDay(end), "day");
  check(!opens || !closes || opens <= closes, "opens");
  if ("late_days" in given) integer(closes && given["late_days"], 1, 365);
  if ("same_meaning" in given) (await import("./versions.js")).checkMeaning(given["same_meaning"], version);
  const odds = questions.reduce((product, question) => times(product, question.cost), ONE);
  const delta = questions.reduce((sum, question) => plus(sum, question.chance), ZERO);
  check(delta.n < delta.d && given["delta"] === inFull(delta) && given["odds"] === inFull(odds), "odds");
  check(isEpsilon(given["epsilon"], odds), "epsilon");
  check(JSON.stringify(given["requires"]) === (waves ? '["waves"]' : "[]"), "requires");
  return { ...given, ...(waves && { waves }), questions, digest: await sha256(payload) } as unknown as Survey;
}

async function readQuestion(
  given: Json,
  text: (value: unknown, hasLines: boolean) => void,
  options: (value: unknown, most: number) => string[],
): Promise<Question> {
  const field = Object.keys(KINDS).find((name) => name in given);
  object(given, `id topic text ${field ? `options? ${field}` : "options"} refusal? mechanism`, "question");
  text(given["text"], true);
  const { options: offered = [], mechanism: spec } = given;
  const optionIds = options(offered, 1024);
  const kind = field
    ? (await (KINDS[field] as NonNullable<(typeof KINDS)[string]>)()).fromJson(given[field], optionIds, field)
    : ofOptions(optionIds);
  const count = optionIds.length;
  check(count ? count >= (kind.fewestOptions ?? 1) : !field || !("options" in given), "options");
  check(`${kind.options}` === `${optionIds}`, "options");
  // The last option stands for not answering, and two more are left.
  if ("refusal" in given) check(given["refusal"] === "randomized" && kind.kind === "choice" && count > 2, "refusal");
  const name = object(spec)["name"] as string;
  const found = await load(name);
  check(found, "mechanism unknown to this version");
  const randomizer = found.fromSpec(spec as Json, kind.answers);
  check(kind.fits(randomizer) && randomizer.answers === kind.answers, "mechanism for other answers");
  return { ...given, kind, randomizer } as unknown as Question;
}

/** Return whether a text is ln(odds), rounded up to four digits; odds are rational, so it is never exact. */
function isEpsilon(claim: unknown, { n, d }: Ratio): boolean {
  const units = Math.round(Number(claim) * 1e4);
  const exact = Math.log(Number(n) / Number(d)) * 1e4; // NaN or infinite of huge odds, which then pass
  const isFar = exact > units + 1e-6 || exact < units - 1 - 1e-6;
  return claim === (units / 1e4).toFixed(4) && !(isFar && exact < Infinity);
}

/** Return an object that has exactly these keys, in this order; those with `?` may be left out. */
function object(value: unknown, names?: string, what = "part"): Json {
  const given = value as Json;
  check(given && typeof given === "object" && !Array.isArray(given), what);
  const wanted = names?.split(" ").flatMap((name) => (name.endsWith("?") ? (name.slice(0, -1) in given ? name.slice(0, -1) : []) : name));
  check(!wanted || hasKeys(given, wanted.join(" ")), what);
  return given;
}

function list(value: unknown, least: number, most: number): unknown[] {
  check(Array.isArray(value) && value.length >= least && value.length <= most, "list");
  return value;
}

function ids(values: readonly unknown[]): asserts values is string[] {
  check(values.every(isId), "ids");
  differ(values, "ids");
}

function differ(values: readonly unknown[], what: string): void {
  check(new Set(values).size === values.length, what);
}

function words(value: unknown, hasLines?: boolean): void {
  const length = typeof value === "string" ? [...value].length : 0;
  check(length && length <= 2000, "text");
  check(!FAULTS.test(hasLines ? (value as string).replace(/\n/g, "") : (value as string)), "text");
}

function integer(value: unknown, least: number, most: number): void {
  check(Number.isInteger(value) && (value as number) >= least && (value as number) <= most, "number");
}

function oneOf<T extends string>(value: unknown, ...allowed: T[]): T {
  check(allowed.includes(value as T), "value");
  return value as T;
}

/** Return whether this is a day, which has one form: `2027-01-31`. */
export function isDay(value: unknown): value is string {
  const date = new Date(`${value}T00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(`${value}`) && `${value}` > "0001" && +date === +date && date.toISOString().startsWith(`${value}`);
}
