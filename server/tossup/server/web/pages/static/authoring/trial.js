// A draft that is tried has a memory of its own, which begins anew with every load. The script of
// respondents' pages runs unchanged, and neither reads nor spends what this device remembers.
const begins = "tossup-trial-";
const own = begins + crypto.randomUUID();
const { open } = IDBFactory.prototype;

IDBFactory.prototype.open = function (_, version) {
  return open.call(this, own, version);
};
Storage.prototype.getItem = () => null;
Storage.prototype.setItem = () => {};

for (const { name } of await indexedDB.databases()) {
  if (name.startsWith(begins) && name !== own) indexedDB.deleteDatabase(name);
}
