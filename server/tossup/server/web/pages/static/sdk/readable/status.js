import {
  emptyState,
  isOf,
  isOver,
  newest,
  remaining,
  spent,
  standing,
  versions
} from "./shared/QSFGJONQ.js";

// src/status.ts
async function status(device) {
  const { store } = device;
  const known = await versions(device, await store.read());
  const survey = newest(known);
  const raises = known.length > 1 && await import("./versions.js");
  const asking = survey?.waves && await import("./waves.js");
  const remembers = store.isDurable && !!await navigator.storage?.persisted?.().catch(() => false);
  const look = (state) => {
    const found = summary(device, state);
    const closed = found.closed || !!survey && isOver(survey);
    return {
      ...found,
      closed,
      remembers,
      ...asking && { waves: asking.waveStatus(device, state, survey, closed || found.consent === false) },
      raised: raises ? [...raises.raised(device, state, known).keys()].map((question) => question.id) : []
    };
  };
  return asking ? store.transact(look) : look(await store.read());
}
var nothing = (caps) => summary({ caps, link: { publisher: "", survey: "" } }, emptyState());
function summary(device, state) {
  const { caps, link } = device;
  const now = standing(device, state);
  const reports = state.outbox.filter(isOf(device));
  const mine = state.ledger.filter((entry) => entry.publisher === link.publisher);
  const spending = (entries, cap) => ({ ...spent(entries), cap, deltaCap: caps.delta });
  const count = (is) => reports.filter((report) => report.state === is).length;
  const quarantined = {};
  for (const { state: is, code } of reports) if (is === "quarantined") quarantined[code] = (quarantined[code] ?? 0) + 1;
  return {
    pending: count("pending"),
    sent: count("sent"),
    withdrawing: count("withdrawing"),
    unwithdrawn: count("unwithdrawn"),
    quarantined,
    publisher: spending(mine, caps.publisher),
    device: spending(state.ledger, caps.device),
    answeredTopics: [...new Set(mine.map((entry) => entry.topic))].sort(),
    consent: now.consent,
    closed: now.isClosed,
    problem: now.problem,
    retryAfterSeconds: remaining(now),
    raised: [],
    remembers: false,
    trouble: null
  };
}
export {
  nothing,
  status
};
//# sourceMappingURL=status.js.map
