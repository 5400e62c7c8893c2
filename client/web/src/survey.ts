/**
 * The survey manifest as values: what is asked, with which coins, and what it costs. Parsing is as
 * strict as Python's `Survey.parse`: what is not exactly what it writes is refused.
 */

import type { Coins } from "./coins.js";
import type { Kind } from "./kinds/base.js";
import { YES_NO } from "./kinds/yes-no.js";
import type { Mechanism } from "./mechanisms/base.js";
import { load } from "./mechanisms/index.js";
import { inFull, type Ratio, spent, ZERO } from "./ratio.js";
import { refuseManifest } from "./refusal.js";
import type { Waves } from "./waves.js";
import { type Bytes, hasKeys, isObject, parse, sha256, unb64url } from "./wire.js";

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
  /** Names it in a row of results. */
  readonly short?: Text;
  /** None for yes or no, numbers, vectors and texts. */
  readonly options?: readonly Option[];
  /** What a number counts, such as hours, where the publisher says so. */
  readonly unit?: Text;
  /** As the manifest states it: its name and its parameters. */
  readonly mechanism: Readonly<Record<string, unknown>>;
  readonly kind: Kind;
  readonly randomizer: Mechanism;
  /** Returns new coins, such as the mechanism takes, for one answer. */
  readonly coins: () => Coins;
  /** What a device tosses for an answer: a ledger is charged its odds and its chance. */
  readonly tossed: Mechanism;
  /** The exact odds of all that is ever sent about it, over all waves. */
  readonly cost: Ratio;
  /** The chance for which these odds are not promised, over all waves. */
  readonly chance: Ratio;
}

/** What a device tosses for a question, and what it costs. */
export type Tossed = Pick<Question, "tossed" | "cost" | "chance">;

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
  /** When public results are shown; as reports come in where it is left out. */
  readonly shown?: "daily" | "closed";
  readonly waves?: Waves;
}

export type Json = Record<string, unknown>;

/** Checks that there is a text for every language of the survey. */
export type TextCheck = (value: unknown, hasLines?: boolean) => void;

/** What every manifest has, in this order. */
const FIELDS =
  "v survey version previous publisher title purpose languages questions attributes linkage odds epsilon" +
  " delta minimum_batch opens closes retention_days results requires";
const IDS = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const LANGUAGE = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,2}$/;
/** Controls, halves of characters, and what turns the direction of a text that follows. */
const FAULTS = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u;

const isId = (value: unknown): value is string => typeof value === "string" && IDS.test(value);

/** Refuse a manifest, by the name of what is wrong in it. */
export function check(isRight: unknown, what: string): asserts isRight {
  if (!isRight) refuseManifest(what);
}

/**
 * Return the survey of a manifest's payload.
 *
 * @throws Refusal if it is not exactly what Python writes for some survey, or asks what this
 *   version cannot toss for.
 */
export async function parseSurvey(payload: Bytes): Promise<Survey> {
  const given = object(parse(payload));
  check(given["v"] === 1, "v");
  const languages = list(given["languages"], 1, Infinity) as string[];
  check(languages.every((tag) => typeof tag === "string" && LANGUAGE.test(tag)), "languages");
  differ(languages);
  const text: TextCheck = (value, hasLines) => {
    check(hasKeys(value, languages.join(" ")), "languages");
    for (const word of Object.values(value)) words(word, hasLines);
  };
  const attributes = list(given["attributes"], 0, Infinity) as Attribute[];
  const { survey: id, publisher } = given;
  oneOf(given["linkage"], "none", "joint");
  const rest = [given["version"], given["previous"], given["opens"], given["closes"], attributes];
  const isPlain = hasKeys(given, FIELDS) && JSON.stringify(rest) === "[1,null,null,null,[]]";
  const waves = isPlain ? undefined : await (await import("./offers.js")).readMore(given, FIELDS, attributes, text);
  const { name, key, contact } = object(publisher, "name key contact");
  words(name);
  words(contact);
  check(unb64url(key)?.length === 32, "publisher key");
  const questions = await Promise.all(
    list(given["questions"], 1, 64).map(async (value): Promise<Question> => {
      const question = await readQuestion(object(value), text);
      const { randomizer } = question;
      const { odds: cost, delta: chance = ZERO } = randomizer;
      return { ...question, ...(waves ? waves.tossed(randomizer) : { tossed: randomizer, cost, chance }) };
    }),
  );
  check(isId(id), "survey");
  ids(questions.map((question) => question.topic));
  ids([...questions, ...attributes].map((part) => part.id));
  text(given["title"]);
  text(given["purpose"], true);
  integer(given["minimum_batch"], 1, 1e9);
  integer(given["retention_days"], 1, 36_500);
  oneOf(given["results"], "public", "private");
  const { odds, delta } = spent(questions.map(({ cost, chance }) => ({ odds: cost, delta: chance })));
  check(delta.n < delta.d && given["delta"] === inFull(delta) && given["odds"] === inFull(odds), "odds");
  check(isEpsilon(given["epsilon"], odds), "epsilon");
  check(JSON.stringify(given["requires"]) === (waves ? '["waves"]' : "[]"), "requires");
  return { ...given, ...(waves && { waves }), questions, digest: await sha256(payload) } as unknown as Survey;
}

async function readQuestion(given: Json, text: TextCheck): Promise<Question> {
  text(given["text"], true);
  const isYesNo = hasKeys(given, "id topic text options mechanism") && `${JSON.stringify(given["options"])}` === "[]";
  const kind = isYesNo ? YES_NO : await (await import("./offers.js")).readKind(given, text);
  const spec = given["mechanism"];
  const name = object(spec)["name"] as string;
  const found = await load(name);
  check(found, "mechanism unknown to this version");
  const randomizer = found.fromSpec(spec as Json, kind.answers);
  check(kind.fits(randomizer) && randomizer.answers === kind.answers, "mechanism");
  return { ...given, kind, randomizer, coins: found.coins } as unknown as Question;
}

/** Return whether a text is ln(odds), rounded up to four digits; odds are rational, so it is never exact. */
function isEpsilon(claim: unknown, { n, d }: Ratio): boolean {
  const exact = Math.log(Number(n) / Number(d)); // NaN or infinite of huge odds, which then pass
  const isFar = Math.abs((Number(claim) - exact) * 1e4 - 0.5) > 0.500001;
  return claim === Number(claim).toFixed(4) && !(isFar && exact < Infinity);
}

/** Return an object that has exactly these keys, in this order, if they are given. */
export function object(value: unknown, names = ""): Json {
  if (!isObject(value) || (names && !hasKeys(value, names))) refuseManifest(`an object: ${names}`);
  return value;
}

export function list(value: unknown, least: number, most: number): unknown[] {
  check(Array.isArray(value) && value.length >= least && value.length <= most, "list");
  return value;
}

export function ids(values: readonly unknown[]): asserts values is string[] {
  check(values.every(isId), "ids");
  differ(values);
}

function differ(values: readonly unknown[]): void {
  check(new Set(values).size === values.length, "each differs");
}

function words(value: unknown, hasLines?: boolean): void {
  const length = typeof value === "string" ? [...value].length : 0;
  check(length && length <= 2000, "text");
  check(!FAULTS.test(hasLines ? (value as string).replace(/\n/g, "") : (value as string)), "text");
}

export function integer(value: unknown, least: number, most: number): void {
  check(Number.isInteger(value) && (value as number) >= least && (value as number) <= most, "number");
}

function oneOf(value: unknown, ...allowed: unknown[]): void {
  check(allowed.includes(value), "value");
}
