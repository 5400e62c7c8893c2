/** A store that is gone with the page: for devices that several people use. */

import { refuse } from "../refusal.js";
import { emptyState, type Part, type State, type Store } from "./state.js";

/** Return an empty store; `persist` must say that it is wanted. */
export function pageStore(persist: string): Store {
  if (persist !== "none") refuse("misconfigured", "persist is device or none");
  const kept = new Map<object, Part>();
  return {
    isDurable: false,
    read: async () => stateOf(kept),
    transact: async (change, fill, about) => {
      const asked = about?.every((record) => kept.has(record)) ? about : [...kept.keys()];
      // Copies of them, so that a change that throws changes nothing.
      const state = stateOf(asked.map((record) => [{ ...record }, kept.get(record) as Part]));
      const made = change(state);
      fill?.(made);
      for (const record of asked) kept.delete(record);
      for (const part of Object.keys(state) as Part[]) {
        for (const record of state[part]) kept.set(record, part);
      }
      return made;
    },
  };
}

function stateOf(records: Iterable<readonly [record: object, part: Part]>): State {
  const state = emptyState();
  for (const [record, part] of records) (state[part] as object[]).push(record);
  return state;
}
