/**
 * What a manifest offers to choose from: options, public attributes, and kinds of answers other than
 * yes and no. Loaded for a survey that has any of these.
 */

import type { Kind } from "./kinds/base.js";
import { KINDS, ofOptions } from "./kinds/index.js";
import { refuseManifest } from "./refusal.js";
import { type Attribute, check, ids, integer, type Json, list, object, type TextCheck } from "./survey.js";
import type { Waves } from "./waves.js";

/**
 * Check what a plain survey does not have: public attributes, waves, first and last days, and a version
 * before. Return the waves.
 *
 * @param fields What every manifest has.
 */
export async function readMore(given: Json, fields: string, attributes: readonly Attribute[], text: TextCheck): Promise<Waves | undefined> {
  const { version, previous, linkage, opens, closes } = given;
  const isAny = (name: string): string => (name in given ? ` ${name}` : "");
  const wanted = fields
    .replace(" retention_days", `${isAny("late_days")} retention_days`)
    .replace(" requires", `${isAny("shown")}${isAny("waves")}${isAny("same_meaning")} requires`);
  object(given, wanted);
  checkAttributes(attributes, text);
  const waves = "waves" in given ? (await import("./waves.js")).parseWaves(given["waves"], attributes, linkage === "joint") : undefined;
  check(waves || !attributes.some((attribute) => attribute.id === "wave"), "wave");
  integer(version, 1, 1e6);
  check(version === 1 ? previous === null : typeof previous === "string" && /^[0-9a-f]{64}$/.test(previous), "version");
  for (const end of [opens, closes]) check(end === null || isDay(end), "day");
  check(!opens || !closes || opens <= closes, "opens");
  if ("late_days" in given) integer(closes && given["late_days"], 1, 365);
  if ("shown" in given) check(given["results"] === "public" && ["daily", "closed"].includes(given["shown"] as string), "shown");
  if ("same_meaning" in given) (await import("./versions.js")).checkMeaning(given["same_meaning"], version);
  return waves;
}

/** Check options, and return their ids. */
function options(value: unknown, most: number, text: TextCheck): string[] {
  const found = list(value, 0, most).map((option) => {
    const { id, label } = object(option, "id label");
    text(label);
    return id as string;
  });
  ids(found);
  return found;
}

/** Check public attributes: together they divide respondents into at most 1,024 groups. */
function checkAttributes(attributes: readonly unknown[], text: TextCheck): void {
  let groups = 1;
  for (const value of attributes) {
    const part = object(value, "id text options");
    text(part["text"], true);
    const offered = options(part["options"], 256, text).length;
    check(offered > 1 && (groups *= offered) <= 1024, "attribute options");
  }
}

/** What a question may say, in this order. */
const MORE = ["unit", "refusal"];

/** Check what names a question in a row of results, which no respondent is shown. */
function checkShort(short: unknown, text: TextCheck): void {
  text(short);
  check(Object.values(short as Json).every((word) => [...(word as string)].length <= 40), "short");
}

/** Return what a question takes, and check what it offers. */
export async function readKind(given: Json, text: TextCheck): Promise<Kind> {
  const field = Object.keys(KINDS).find((name) => name in given);
  const fields = ["id", "topic", "text", "short" in given ? "short" : [], ...(field ? ["options" in given ? "options" : [], field] : ["options"]), ...MORE.filter((name) => name in given), "mechanism"];
  object(given, fields.flat().join(" "));
  if ("short" in given) checkShort(given["short"], text);
  const { options: stated = [] } = given;
  const offered = options(stated, 1024, text);
  const kind = field
    ? (await (KINDS[field] as NonNullable<(typeof KINDS)[string]>)()).fromJson(given[field], offered, field)
    : ofOptions(offered);
  const count = offered.length;
  check(count ? count >= (kind.fewestOptions ?? 1) : !field || !("options" in given), "options");
  check(`${kind.options}` === `${offered}`, "options");
  if ("unit" in given) text(kind.kind === "number" ? given["unit"] : refuseManifest("unit"));
  // The last option stands for not answering, and two more are left.
  if ("refusal" in given) check(given["refusal"] === "randomized" && kind.kind === "choice" && count > 2, "refusal");
  return kind;
}

/** Return whether this is a day, which has one form: `2027-01-31`. */
export function isDay(value: unknown): value is string {
  const date = new Date(`${value}T00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(`${value}`) && `${value}` > "0001" && +date === +date && date.toISOString().startsWith(`${value}`);
}
