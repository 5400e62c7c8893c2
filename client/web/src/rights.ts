/** The respondent's rights: to take reports back, and to have this device forget. */

import { type Device, standing } from "./device.js";
import type { State } from "./store/state.js";
import { boxed } from "./upload.js";

/** Delete what never left, mark the rest for withdrawal, and take consent back. */
export function withdraw(device: Device, state: State): void {
  for (const report of boxed(device, state)) {
    if (report.attempted) Object.assign(report, { state: "withdrawing", code: "", body: "" });
    else state.outbox.splice(state.outbox.indexOf(report), 1);
  }
  forgetMemory(device, state);
  Object.assign(standing(device, state), { consent: false, retryAt: 0, delay: 0 });
}

/** Erase all of a survey but what keeps its topics from being tossed again. */
export function forget(device: Device, state: State): void {
  const { publisher, survey } = device.link;
  for (const report of boxed(device, state)) state.outbox.splice(state.outbox.indexOf(report), 1);
  forgetMemory(device, state);
  delete state.surveys[`${publisher}/${survey}`];
  state.ledger.forEach((entry, place) => {
    if (entry.publisher === publisher && entry.survey === survey) state.ledger[place] = { ...entry, survey: "" };
  });
}

/** Erase what is kept to be reported wave after wave. */
function forgetMemory({ link }: Device, state: State): void {
  state.memory = state.memory.filter((kept) => kept.publisher !== link.publisher || kept.survey !== link.survey);
}
