import {
  boxed,
  standing
} from "./shared/PRYFKI73.js";

// src/rights.ts
function withdraw(device, state) {
  for (const report of boxed(device, state)) {
    if (report.attempted) Object.assign(report, { state: "withdrawing", code: "", body: "" });
    else state.outbox.splice(state.outbox.indexOf(report), 1);
  }
  forgetMemory(device, state);
  Object.assign(standing(device, state), { consent: false, retryAt: 0, delay: 0 });
}
function forget(device, state) {
  const { publisher, survey } = device.link;
  for (const report of boxed(device, state)) state.outbox.splice(state.outbox.indexOf(report), 1);
  forgetMemory(device, state);
  delete state.surveys[`${publisher}/${survey}`];
  state.ledger.forEach((entry, place) => {
    if (entry.publisher === publisher && entry.survey === survey) state.ledger[place] = { ...entry, survey: "" };
  });
}
function forgetMemory({ link }, state) {
  state.memory = state.memory.filter((kept) => kept.publisher !== link.publisher || kept.survey !== link.survey);
}
export {
  forget,
  withdraw
};
//# sourceMappingURL=rights.js.map
