/**
 * The device's store: one IndexedDB database for all surveys that pages of this origin ask. Each entry,
 * report, memory and survey is a record of its own, and a transaction writes those that it changes:
 * an answer costs as much to store after a thousand others as it did first.
 */

import { refuse } from "../refusal.js";
import { emptyState, type Part, type State, type Store } from "./state.js";

const NAME = "tossup";
const ROWS = "rows";

export const deviceStore: Store = {
  isDurable: true,
  read: () => run("readonly", async (rows) => (await load(rows))[0]),
  async transact(change, fill, about) {
    const [made, entries] = await run("readwrite", async (rows) => {
      const [state, save] = await load(rows, about);
      const value = change(state);
      await save();
      if (fill) {
        fill(value);
        await save();
      }
      return [value, state.ledger.length] as const;
    });
    mark(entries); // the state is durable; the mark only guards it further
    return made;
  },
};

/** A record as it is stored: which part of the state it is of, and under which key. */
type Row = { part: Part; record: object; key?: IDBValidKey };

/** The rows of records that were read or written, and what these were then. */
const known = new WeakMap<object, [row: Row, was: object]>();

/**
 * Return the stored state, and what writes those of its records that have changed since.
 *
 * @param about Records as they were seen last: only these are read, unless one of them is gone.
 * @throws Refusal if it has forgotten entries that its mark, in other storage, remembers.
 */
async function load(rows: IDBObjectStore, about?: readonly object[]): Promise<[State, save: () => Promise<void>]> {
  const state = emptyState();
  const all = (key?: IDBValidKey): Promise<Row[]> => done(rows.getAll(key));
  let read: Row[] = [];
  for (const record of about ?? []) read.push(...(await all((known.get(record) as [Row, object])[0].key)));
  if (!about || read.length < about.length) {
    about = undefined;
    read = await all();
  }
  for (const row of read) {
    (state[row.part] as object[]).push(row.record);
    known.set(row.record, [row, { ...row.record }]);
  }
  if (!about && state.ledger.length < mark()) refuse("ledger-damaged", "answers are forgotten");
  const save = async (): Promise<void> => {
    const gone = new Set(read);
    for (const [part, records] of Object.entries<object[]>(state)) {
      for (const record of records) {
        const [row = { part: part as Part, record }, was = {}] = known.get(record) ?? [];
        gone.delete(row);
        if (Object.keys(record).every((name) => was[name as never] === record[name as never])) continue;
        row.key = await done(rows.put(row));
        known.set(record, [row, { ...record }]);
      }
    }
    for (const { key } of gone) rows.delete(key as IDBValidKey);
  };
  return [state, save];
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
async function run<T>(mode: IDBTransactionMode, work: (rows: IDBObjectStore) => Promise<T>): Promise<T> {
  let database: IDBDatabase | undefined;
  let transaction: IDBTransaction | undefined;
  try {
    const opening = indexedDB.open(NAME, 2);
    opening.onupgradeneeded = ({ oldVersion }) => upgrade(opening, oldVersion);
    database = await done(opening);
    const opened = (transaction = database.transaction(ROWS, mode, { durability: "strict" }));
    const end = new Promise((resolve, reject) => {
      opened.oncomplete = resolve;
      opened.onabort = reject;
    });
    const [made] = await Promise.all([work(opened.objectStore(ROWS)), end]);
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

/** Make the store of rows; version 1 kept the whole state as one value. */
function upgrade({ result: database, transaction }: IDBOpenDBRequest, oldVersion: number): void {
  const rows = database.createObjectStore(ROWS, { keyPath: "key", autoIncrement: true });
  if (!oldVersion) return;
  const before = (transaction as IDBTransaction).objectStore(NAME).get("state");
  before.onsuccess = () => {
    for (const [part, held] of Object.entries<object>(before.result ?? {})) {
      for (const [name, record] of Object.entries(held)) {
        const [publisher, survey] = name.split("/"); // of a survey; all else says so itself
        rows.add({ part, record: { publisher, survey, ...record } });
      }
    }
    database.deleteObjectStore(NAME);
  };
}

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
