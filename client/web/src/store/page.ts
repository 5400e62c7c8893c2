/** A store that is gone with the page: for devices that several people use. */

import { refuse } from "../refusal.js";
import { emptyState, type Store } from "./state.js";

/** Return an empty store; `persist` must say that it is wanted. */
export function pageStore(persist: string): Store {
  if (persist !== "none") refuse("misconfigured", "persist is device or none");
  let kept = emptyState();
  return {
    isDurable: false,
    read: async () => kept,
    transact: async (change, fill) => {
      const state = structuredClone(kept);
      const made = change(state);
      fill?.(made);
      kept = state;
      return made;
    },
  };
}
