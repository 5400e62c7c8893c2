import {
  emptyState,
  refuse
} from "../shared/5BMRU7X6.js";

// src/store/page.ts
function pageStore(persist) {
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
    }
  };
}
export {
  pageStore
};
//# sourceMappingURL=page.js.map
