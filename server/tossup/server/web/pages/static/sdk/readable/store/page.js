import {
  emptyState,
  refuse
} from "../shared/QSFGJONQ.js";

// src/store/page.ts
function pageStore(persist) {
  if (persist !== "none") refuse("misconfigured", "persist is device or none");
  const kept = /* @__PURE__ */ new Map();
  return {
    isDurable: false,
    read: async () => stateOf(kept),
    transact: async (change, fill, about) => {
      const asked = about?.every((record) => kept.has(record)) ? about : [...kept.keys()];
      const state = stateOf(asked.map((record) => [{ ...record }, kept.get(record)]));
      const made = change(state);
      fill?.(made);
      for (const record of asked) kept.delete(record);
      for (const part of Object.keys(state)) {
        for (const record of state[part]) kept.set(record, part);
      }
      return made;
    }
  };
}
function stateOf(records) {
  const state = emptyState();
  for (const [record, part] of records) state[part].push(record);
  return state;
}
export {
  pageStore
};
//# sourceMappingURL=page.js.map
