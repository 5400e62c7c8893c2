/** The respondent's rights: to take reports back, and to have this device forget. */

import { type Device, isOf, standing } from "./device.js";
import type { Standing, State } from "./store/state.js";

/** Delete what never left, mark the rest for withdrawal, and take consent back. */
export function withdraw(device: Device, state: State): void {
  for (const report of state.outbox.filter(isOf(device))) {
    if (report.attempted) Object.assign(report, { state: "withdrawing", code: "", body: "" });
    else state.outbox.splice(state.outbox.indexOf(report), 1);
  }
  state.memory = notOf(device, state.memory);
  Object.assign(standing(device, state), { consent: false, retryAt: 0, delay: 0 });
}

/** Erase all of a survey but what keeps its topics from being tossed again. */
export function forget(device: Device, state: State): void {
  state.outbox = notOf(device, state.outbox);
  state.memory = notOf(device, state.memory);
  state.surveys = notOf(device, state.surveys);
  for (const entry of state.ledger.filter(isOf(device))) entry.survey = "";
}

/** Return the records of all other surveys. */
function notOf<R extends Pick<Standing, "publisher" | "survey">>(device: Device, records: readonly R[]): R[] {
  const isOurs = isOf(device);
  return records.filter((record) => !isOurs(record));
}
