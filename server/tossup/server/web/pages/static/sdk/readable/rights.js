import {
  isOf,
  standing
} from "./shared/QSFGJONQ.js";

// src/rights.ts
function withdraw(device, state) {
  for (const report of state.outbox.filter(isOf(device))) {
    if (report.attempted) Object.assign(report, { state: "withdrawing", code: "", body: "" });
    else state.outbox.splice(state.outbox.indexOf(report), 1);
  }
  state.memory = notOf(device, state.memory);
  Object.assign(standing(device, state), { consent: false, retryAt: 0, delay: 0 });
}
function forget(device, state) {
  state.outbox = notOf(device, state.outbox);
  state.memory = notOf(device, state.memory);
  state.surveys = notOf(device, state.surveys);
  for (const entry of state.ledger.filter(isOf(device))) entry.survey = "";
}
function notOf(device, records) {
  const isOurs = isOf(device);
  return records.filter((record) => !isOurs(record));
}
export {
  forget,
  withdraw
};
//# sourceMappingURL=rights.js.map
