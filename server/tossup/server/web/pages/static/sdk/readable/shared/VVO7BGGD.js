import {
  CHOICE,
  YES_NO,
  check,
  ids,
  integer,
  list,
  object,
  refuseManifest
} from "./QSFGJONQ.js";

// src/kinds/index.ts
var KINDS = {
  integers: () => import("../kinds/numbers.js"),
  numbers: () => import("../kinds/numbers.js"),
  several: () => import("../kinds/several.js"),
  ranking: () => import("../kinds/ranking.js"),
  texts: () => import("../kinds/texts.js")
};
function ofOptions(options2) {
  if (!options2.length) return YES_NO;
  return {
    ...CHOICE,
    kind: "choice",
    answers: BigInt(options2.length),
    options: options2,
    place(answer) {
      const at = options2.indexOf(answer);
      return at < 0 ? void 0 : BigInt(at);
    }
  };
}

// src/offers.ts
async function readMore(given, fields, attributes, text) {
  const { version, previous, linkage, opens, closes } = given;
  const isAny = (name) => name in given ? ` ${name}` : "";
  const wanted = fields.replace(" retention_days", `${isAny("late_days")} retention_days`).replace(" requires", `${isAny("shown")}${isAny("waves")}${isAny("same_meaning")} requires`);
  object(given, wanted);
  checkAttributes(attributes, text);
  const waves = "waves" in given ? (await import("../waves.js")).parseWaves(given["waves"], attributes, linkage === "joint") : void 0;
  check(waves || !attributes.some((attribute) => attribute.id === "wave"), "wave");
  integer(version, 1, 1e6);
  check(version === 1 ? previous === null : typeof previous === "string" && /^[0-9a-f]{64}$/.test(previous), "version");
  for (const end of [opens, closes]) check(end === null || isDay(end), "day");
  check(!opens || !closes || opens <= closes, "opens");
  if ("late_days" in given) integer(closes && given["late_days"], 1, 365);
  if ("shown" in given) check(given["results"] === "public" && ["daily", "closed"].includes(given["shown"]), "shown");
  if ("same_meaning" in given) (await import("../versions.js")).checkMeaning(given["same_meaning"], version);
  return waves;
}
function options(value, most, text) {
  const found = list(value, 0, most).map((option) => {
    const { id, label } = object(option, "id label");
    text(label);
    return id;
  });
  ids(found);
  return found;
}
function checkAttributes(attributes, text) {
  let groups = 1;
  for (const value of attributes) {
    const part = object(value, "id text options");
    text(part["text"], true);
    const offered = options(part["options"], 256, text).length;
    check(offered > 1 && (groups *= offered) <= 1024, "attribute options");
  }
}
var MORE = ["unit", "refusal"];
function checkShort(short, text) {
  text(short);
  check(Object.values(short).every((word) => [...word].length <= 40), "short");
}
async function readKind(given, text) {
  const field = Object.keys(KINDS).find((name) => name in given);
  const fields = ["id", "topic", "text", "short" in given ? "short" : [], ...field ? ["options" in given ? "options" : [], field] : ["options"], ...MORE.filter((name) => name in given), "mechanism"];
  object(given, fields.flat().join(" "));
  if ("short" in given) checkShort(given["short"], text);
  const { options: stated = [] } = given;
  const offered = options(stated, 1024, text);
  const kind = field ? (await KINDS[field]()).fromJson(given[field], offered, field) : ofOptions(offered);
  const count = offered.length;
  check(count ? count >= (kind.fewestOptions ?? 1) : !field || !("options" in given), "options");
  check(`${kind.options}` === `${offered}`, "options");
  if ("unit" in given) text(kind.kind === "number" ? given["unit"] : refuseManifest("unit"));
  if ("refusal" in given) check(given["refusal"] === "randomized" && kind.kind === "choice" && count > 2, "refusal");
  return kind;
}
function isDay(value) {
  const date = /* @__PURE__ */ new Date(`${value}T00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(`${value}`) && `${value}` > "0001" && +date === +date && date.toISOString().startsWith(`${value}`);
}

export {
  readMore,
  readKind,
  isDay
};
//# sourceMappingURL=VVO7BGGD.js.map
