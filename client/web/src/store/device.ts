/** The device's store: one IndexedDB database for all surveys that pages of this origin ask. */

import { refuse } from "../refusal.js";
import { emptyState, type State, type Store } from "./state.js";

const NAME = "tossup";
const KEY = "state";

export const deviceStore: Store = {
  isDurable: true,
  read: () => run("readonly", get),
  async transact(change, fill) {
    const [made, entries] = await run("readwrite", async (states) => {
      const state = await get(states);
      const value = change(state);
      await done(states.put(state, KEY));
      if (fill) {
        fill(value);
        states.put(state, KEY);
      }
      return [value, state.ledger.length] as const;
    });
    mark(entries); // the state is durable; the mark only guards it further
    return made;
  },
};

/** Return the stored state, unless it has forgotten entries that its mark, in other storage, remembers. */
async function get(states: IDBObjectStore): Promise<State> {
  const state = (await done<State | undefined>(states.get(KEY))) ?? emptyState();
  return state.ledger.length < mark() ? refuse("ledger-damaged", "answers are forgotten") : state;
}

/** Note how many entries there are; return what was noted last, or 0: without a mark nothing is concluded. */
function mark(entries?: number): number {
  try {
    if (entries) localStorage.setItem(NAME, `${entries}`);
    return Number(localStorage.getItem(NAME));
  } catch {
    return 0;
  }
}

/** Run work in a durable transaction, opened for it alone: nothing keeps a page from being put aside. */
async function run<T>(mode: IDBTransactionMode, work: (states: IDBObjectStore) => Promise<T>): Promise<T> {
  let database: IDBDatabase | undefined;
  let transaction: IDBTransaction | undefined;
  try {
    const opening = indexedDB.open(NAME, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(NAME);
    database = await done(opening);
    const opened = (transaction = database.transaction(NAME, mode, { durability: "strict" }));
    const end = new Promise((resolve, reject) => {
      opened.oncomplete = resolve;
      opened.onabort = reject;
    });
    const [made] = await Promise.all([work(opened.objectStore(NAME)), end]);
    return made;
  } catch (error) {
    try {
      transaction?.abort();
    } catch {
      // It has ended by itself, and kept nothing.
    }
    if (transaction && !(error instanceof DOMException || error instanceof Event)) throw error;
    if ((error as Error)?.name === "VersionError") refuse("store-too-new", "by a newer version");
    return refuse("store-unavailable", "full, off or refused");
  } finally {
    database?.close();
  }
}

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
