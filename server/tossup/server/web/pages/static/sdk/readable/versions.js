import {
  MANIFEST_TYPE,
  ask,
  inFull,
  isAbove,
  judge,
  refuse,
  refuseManifest,
  standing,
  verified
} from "./shared/QSFGJONQ.js";

// src/versions.ts
var MISSED = 16;
async function missed(device, survey, seen) {
  const found = [];
  for (let next = survey; ; ) {
    if (follows(seen, next)) return found;
    const digest = next.previous;
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
function follows(seen, { version, previous, digest }) {
  const latest = Math.max(...seen.map((manifest) => manifest.version));
  const isSeen = seen.some((manifest) => manifest.digest === digest);
  if (version < latest) refuseManifest(`version ${version} is older than one that this device has seen`);
  if (version === latest && !isSeen) refuseManifest(`two manifests claim to be version ${version}`);
  const before = seen.find((manifest) => manifest.version === version - 1);
  const named = seen.find((manifest) => manifest.digest === previous);
  if (before && before.digest !== previous || named && named.version !== version - 1) {
    refuseManifest(`version ${version} does not follow from those that this device has seen`);
  }
  return !!before || isSeen;
}
var ID = "[a-z0-9][a-z0-9_-]{0,63}";
var MEANING = new RegExp(`^(${ID}(\\.${ID})?|survey:title|survey:purpose)$`);
function checkMeaning(value, version) {
  const names = Array.isArray(value) && version !== 1 ? value : [];
  const isSorted = names.every((name, place) => typeof name === "string" && MEANING.test(name) && !(name <= names[place - 1]));
  if (!names.length || !isSorted) refuseManifest("same_meaning");
}
var SEEN = ["live", "daily", "closed", "private"];
var WHEN = { live: "as reports come in", daily: "once a day", closed: "once the survey is closed" };
var LINKED = {
  joint: "each answer travelled alone, and all answers of a respondent travel together now",
  none: "all answers of a respondent travelled together, and each travels alone now"
};
var shown = (survey, question) => `${survey.digest} ${question.id}`;
var least = (a, b) => a && !isAbove(a, b) ? a : b;
function raised(device, state, versions) {
  const { previewed = [] } = standing(device, state);
  const found = /* @__PURE__ */ new Map();
  const last = versions[versions.length - 1];
  for (const question of last.questions) {
    let cost;
    let chance;
    let promises;
    for (const survey of versions) {
      const alike = survey.questions.filter((one) => one.id === question.id || one.topic === question.topic);
      const wasShown = alike.some((one) => previewed.includes(shown(survey, one)));
      promises = strictest(wasShown ? void 0 : promises, survey);
      if (wasShown) cost = chance = void 0;
      for (const one of alike) {
        cost = least(cost, one.cost);
        chance = least(chance, one.chance);
      }
    }
    const [knownCost, knownChance] = [cost, chance];
    const isDearer = isAbove(question.cost, knownCost) || isAbove(question.chance, knownChance);
    const changes = takenBack(promises, last);
    if (isDearer || changes.length) found.set(question, { knownCost, knownChance, isDearer, changes });
  }
  return found;
}
function promised({ results, shown: when, retention_days: retentionDays, linkage }) {
  return { seen: results === "private" ? results : when ?? "live", retentionDays, linkage };
}
var later = (a, b) => SEEN.indexOf(a) < SEEN.indexOf(b) ? b : a;
function strictest(known, survey) {
  const made = promised(survey);
  if (!known) return made;
  return {
    seen: later(known.seen, made.seen),
    retentionDays: Math.min(known.retentionDays, made.retentionDays),
    linkage: known.linkage
  };
}
function takenBack(known, survey) {
  const { seen, retentionDays, linkage } = promised(survey);
  const found = [];
  if (seen !== "private" && later(known.seen, seen) !== seen) {
    found.push(
      known.seen === "private" ? "results were private and are public now" : `public results were shown ${WHEN[known.seen]}, and are ${WHEN[seen]} now`
    );
  }
  if (retentionDays > known.retentionDays) {
    found.push(`single reports were kept for ${known.retentionDays} days and are for ${retentionDays} now`);
  }
  if (linkage !== known.linkage) found.push(LINKED[linkage]);
  return found;
}
function checkRaised(device, state, versions, fresh) {
  for (const [question, { isDearer, knownCost, changes }] of raised(device, state, versions)) {
    if (!fresh.includes(question)) continue;
    const dearer = isDearer ? [`question ${question.id} costs ${inFull(question.cost)}, and cost ${inFull(knownCost)}`] : [];
    refuse("odds-raised", `${[...dearer, ...changes].join(", and ")}; show preview() first`);
  }
}
function notePreview(device, state, survey, asked) {
  const now = standing(device, state);
  now.previewed = [.../* @__PURE__ */ new Set([...now.previewed ?? [], ...[...asked].map((question) => shown(survey, question))])];
}
export {
  checkMeaning,
  checkRaised,
  missed,
  notePreview,
  raised
};
//# sourceMappingURL=versions.js.map
