import {
  isDay
} from "./shared/VVO7BGGD.js";
import {
  Coins
} from "./shared/RZ6CJKIU.js";
import {
  power
} from "./shared/ZGTW6QBU.js";
import {
  ZERO,
  checkDays,
  dayNumber,
  hasKeys,
  past,
  ratio,
  refuse,
  refuseManifest,
  standing,
  times
} from "./shared/QSFGJONQ.js";

// src/waves.ts
var MOST_RESENT = 32n;
var isFrom = (value, least, most) => Number.isInteger(value) && value >= least && value <= most;
function parseWaves(value, attributes, isJoint) {
  if (!hasKeys(value, "count first days times")) refuseManifest("waves have count, first, days and times");
  const { count, first, days, times: times2 } = value;
  if (!isFrom(count, 2, 256) || !isFrom(days, 1, 3660) || !isDay(first) || !(times2 === null || isFrom(times2, 1, count))) {
    refuseManifest("waves: a number is out of range");
  }
  if (dayNumber("9999-12-31") - dayNumber(first) < count * days) refuseManifest("waves must end before the year 10000");
  const last = attributes[attributes.length - 1];
  const numbers = Array.from({ length: count }, (_, place) => `${place + 1}`);
  if (last?.id !== "wave" || last.options.map((option) => option.id).join() !== numbers.join()) {
    refuseManifest("the last attribute is wave, and its options are the waves");
  }
  if (times2 === null && isJoint) refuseManifest("the same answers together, wave after wave, would mark a device");
  const each = (mechanism) => {
    const { memory, givenMemo, mostReports = 1 } = mechanism;
    if (givenMemo) {
      if (isJoint) refuseManifest("coins that are kept for all waves would mark a device");
      return times2 !== null && isFrom(times2, 2, mostReports) ? givenMemo : refuseManifest("a memo needs waves.times");
    }
    if (times2 !== null) return memory ? refuseManifest("what keeps an answer for all waves takes no times") : mechanism;
    return memory ?? (mechanism.reports <= MOST_RESENT ? mechanism : refuseManifest("one of so many reports would mark a device"));
  };
  const tosses = times2 ?? 1;
  const tossed = (mechanism) => {
    const tossed2 = each(mechanism);
    const { odds, delta = ZERO } = tossed2;
    return { tossed: tossed2, cost: power(odds, tosses), chance: times(delta, ratio(BigInt(tosses))) };
  };
  return { count, first, days, times: times2, tossed };
}
function current({ first, days, count }) {
  const wave = Math.floor((dayNumber() - dayNumber(first)) / days) + 1;
  return wave >= 1 && wave <= count ? wave : null;
}
function turn(device, state, waves, wave) {
  const wanted = wave ?? current(waves) ?? refuse("not-asked", "no wave is on today");
  if (!isFrom(wanted, 1, waves.count)) refuse("refused-answer", "a wave is a number from 1 on");
  return turns(device, state, waves).includes(wanted) ? wanted : refuse("not-asked", "coins chose other waves");
}
function turns(device, state, { count, times: times2 }) {
  const all = Array.from({ length: count }, (_, place) => place + 1);
  if (times2 === null || times2 === count) return all;
  const now = standing(device, state);
  const name = `${times2} of ${count}`;
  const chosen = now.turns?.[name];
  if (chosen) return chosen;
  const fresh = choose(all, times2, new Coins());
  now.turns = { ...now.turns, [name]: fresh };
  return fresh;
}
function choose(rest, times2, coins) {
  const chosen = Array.from({ length: times2 }, () => rest.splice(coins.below(rest.length), 1)[0]);
  return chosen.sort((a, b) => a - b);
}
var inWaves = (survey, waves) => ({
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
  }
});
function dueIn(device, state, survey, wave, asked) {
  const { times: times2 } = survey.waves;
  const toss = [];
  const again2 = /* @__PURE__ */ new Map();
  for (const question of asked) {
    const entries = past(device, state, question);
    const kept = find(device, state, survey, question);
    const isOfThisSurvey = isNew(survey, entries, wave);
    const hasMemo = !question.randomizer.givenMemo || kept;
    if (!entries.length || times2 !== null && entries.length < times2 && isOfThisSurvey && hasMemo) toss.push(question);
    else if (times2 === null && isOfThisSurvey && kept) again2.set(question, BigInt(kept.value));
  }
  const isKept = (question) => times2 === null || !!question.randomizer.givenMemo;
  return {
    toss,
    again: again2,
    reserve() {
      for (const question of toss) {
        if (isKept(question) && !find(device, state, survey, question)) state.memory.push(blank(device, survey, question));
      }
    },
    value(question, place, coins) {
      const { randomizer: mechanism, kind } = question;
      const found = find(device, state, survey, question);
      const kept = (make) => BigInt(!found ? make() : found.value ||= `${make()}`);
      const index = (own) => kind.index(place, mechanism, own);
      if (mechanism.givenMemo) {
        const memo = kept(() => mechanism.memo(coins()));
        const own = coins();
        return mechanism.through(memo, index(own), own);
      }
      const tossed = () => {
        const own = coins();
        return question.tossed.randomize(index(own), own);
      };
      const value = isKept(question) ? kept(tossed) : tossed();
      return times2 === null && mechanism.again ? mechanism.again(value, coins()) : value;
    }
  };
}
var isNew = (survey, entries, wave) => entries.every((entry) => entry.survey === survey.survey && entry.wave !== 0 && entry.wave !== wave);
function again(device, state, survey, wave) {
  const known = dueIn(device, state, survey, wave, survey.questions);
  const isDone = survey.questions.some((question) => isReported(device, state, survey, question, wave));
  if (!known.again.size) refuse(isDone ? "already-answered" : "not-asked", "nothing is kept");
  return { ...known, toss: [] };
}
function isReported(device, state, survey, question, wave) {
  const entries = past(device, state, question);
  return entries.length > 0 && !isNew(survey, entries, wave);
}
function blank({ link }, { survey }, question) {
  const { id, topic, text, unit, options, kind, randomizer, coins, tossed, cost, chance, ...stated } = question;
  return { publisher: link.publisher, topic, survey, design: JSON.stringify([kind.options, stated]), value: "" };
}
function find(device, state, survey, question) {
  const { publisher, topic, survey: id, design } = blank(device, survey, question);
  return state.memory.find(
    (kept) => kept.publisher === publisher && kept.topic === topic && kept.survey === id && kept.design === design
  );
}
function waveStatus(device, state, survey, isShut) {
  const waves = survey.waves;
  const now = current(waves);
  const askedIn = turns(device, state, waves);
  const isOpen = now !== null && !isShut && askedIn.includes(now) && isOn(survey);
  const known = isOpen ? dueIn(device, state, survey, now, survey.questions) : { toss: [], again: /* @__PURE__ */ new Map() };
  const ids = (questions) => [...questions].map((question) => question.id);
  return { now, last: waves.count, askedIn, toAsk: ids(known.toss), toRepeat: ids(known.again.keys()) };
}
function isOn(survey) {
  try {
    checkDays(survey);
    return true;
  } catch {
    return false;
  }
}
export {
  choose,
  inWaves,
  parseWaves,
  turns,
  waveStatus
};
//# sourceMappingURL=waves.js.map
