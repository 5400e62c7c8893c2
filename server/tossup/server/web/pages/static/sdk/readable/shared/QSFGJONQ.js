// src/refusal.ts
var Refusal = class extends Error {
  /**
   * @param outcome What became of the call, by name.
   * @param message Why; never anything of an answer.
   */
  constructor(outcome, message) {
    super(message);
    this.outcome = outcome;
  }
  outcome;
};
function refuse(outcome, message) {
  throw new Refusal(outcome, message);
}
function refuseManifest(message) {
  return refuse("refused-manifest", message);
}

// src/store/state.ts
var CALM = { failures: 0, retryAt: 0, delay: 0, problem: null };
var emptyState = () => ({ ledger: [], outbox: [], memory: [], surveys: [] });

// src/store/device.ts
var NAME = "tossup";
var ROWS = "rows";
var deviceStore = {
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
      return [value, state.ledger.length];
    });
    mark(entries);
    return made;
  }
};
var known = /* @__PURE__ */ new WeakMap();
async function load(rows, about) {
  const state = emptyState();
  const all = (key) => done(rows.getAll(key));
  let read2 = [];
  for (const record of about ?? []) read2.push(...await all(known.get(record)[0].key));
  if (!about || read2.length < about.length) {
    about = void 0;
    read2 = await all();
  }
  for (const row of read2) {
    state[row.part].push(row.record);
    known.set(row.record, [row, { ...row.record }]);
  }
  if (!about && state.ledger.length < mark()) refuse("ledger-damaged", "answers are forgotten");
  const save = async () => {
    const gone = new Set(read2);
    for (const [part, records] of Object.entries(state)) {
      for (const record of records) {
        const [row = { part, record }, was = {}] = known.get(record) ?? [];
        gone.delete(row);
        if (Object.keys(record).every((name) => was[name] === record[name])) continue;
        row.key = await done(rows.put(row));
        known.set(record, [row, { ...record }]);
      }
    }
    for (const { key } of gone) rows.delete(key);
  };
  return [state, save];
}
function mark(entries) {
  try {
    if (entries) localStorage.setItem(NAME, `${entries}`);
    return Number(localStorage.getItem(NAME));
  } catch {
    return 0;
  }
}
async function run(mode, work) {
  let database;
  let transaction;
  try {
    const opening = indexedDB.open(NAME, 2);
    opening.onupgradeneeded = ({ oldVersion }) => upgrade(opening, oldVersion);
    database = await done(opening);
    const opened = transaction = database.transaction(ROWS, mode, { durability: "strict" });
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
    }
    if (transaction && !(error instanceof DOMException || error instanceof Event)) throw error;
    if (error?.name === "VersionError") refuse("store-too-new", "by a newer version");
    return refuse("store-unavailable", "full, off or refused");
  } finally {
    database?.close();
  }
}
function upgrade({ result: database, transaction }, oldVersion) {
  const rows = database.createObjectStore(ROWS, { keyPath: "key", autoIncrement: true });
  if (!oldVersion) return;
  const before = transaction.objectStore(NAME).get("state");
  before.onsuccess = () => {
    for (const [part, held] of Object.entries(before.result ?? {})) {
      for (const [name, record] of Object.entries(held)) {
        const [publisher, survey] = name.split("/");
        rows.add({ part, record: { publisher, survey, ...record } });
      }
    }
    database.deleteObjectStore(NAME);
  };
}
var done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

// src/kinds/yes-no.ts
var CHOICE = {
  fewestOptions: 2,
  fits: (mechanism) => mechanism.answerKind === "choice",
  index: (place) => place
};
var YES_NO = {
  ...CHOICE,
  kind: "yes_no",
  answers: 2n,
  options: [],
  place: (answer) => typeof answer === "boolean" ? BigInt(answer) : void 0
};

// src/mechanisms/index.ts
var fewCoins = () => ({
  bits: (count) => BigInt.asUintN(count, BigInt(crypto.getRandomValues(new Uint8Array(1))[0]))
});
async function load2(name) {
  if (name === "two-coin/1") return { fromSpec, coins: fewCoins };
  return (await import("../mechanisms/registry.js")).loadNamed(name);
}

// src/ratio.ts
var ONE = { n: 1n, d: 1n };
var ZERO = { n: 0n, d: 1n };
function ratio(n, d = 1n) {
  let [a, b] = [n < 0n ? -n : n, d];
  while (b) [a, b] = [b, a % b];
  return { n: n / a, d: d / a };
}
var times = (a, b) => ratio(a.n * b.n, a.d * b.d);
var plus = (a, b) => ratio(a.n * b.d + b.n * a.d, a.d * b.d);
var isAbove = (a, b) => a.n * b.d > b.n * a.d;
var inFull = (a) => a.d === 1n ? `${a.n}` : `${a.n}/${a.d}`;
var spent = (costs) => ({
  odds: costs.reduce((product, { odds }) => times(product, odds), ONE),
  delta: costs.reduce((sum, { delta = ZERO }) => plus(sum, delta), ZERO)
});

// src/wire.ts
var MANIFEST_TYPE = "application/vnd.tossup.manifest+json";
var RECEIPT_TYPE = "application/vnd.tossup.receipt+json";
var MAX_BYTES = 1 << 19;
var VERSION = 1;
var MAX_ENVELOPE_BYTES = 1 << 18;
var MAX_PAYLOAD_BYTES = 1 << 17;
var SIGNED_TYPE = "tossup.manifest.v1";
function b64(bytes) {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
var b64url = (bytes) => b64(bytes).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");
function unb64url(text) {
  try {
    const plain = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
    const bytes = Uint8Array.from(plain, (character) => character.charCodeAt(0));
    return b64url(bytes) === text ? bytes : void 0;
  } catch {
    return void 0;
  }
}
var hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
var sha256 = async (bytes) => hex(await crypto.subtle.digest("SHA-256", bytes));
function parse(bytes, most = MAX_BYTES) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const value = JSON.parse(text);
    return bytes.length <= most && JSON.stringify(value) === text ? value : void 0;
  } catch {
    return void 0;
  }
}
var isObject = (value) => typeof value === "object" && !!value && !Array.isArray(value);
var hasKeys = (value, names) => isObject(value) && Object.keys(value).join(" ") === names;
async function verify(envelope, key) {
  const value = parse(envelope, MAX_ENVELOPE_BYTES);
  const payload = hasKeys(value, "payload type sigs") && value["type"] === SIGNED_TYPE ? unb64url(value["payload"]) : 0;
  const sigs = payload && value.sigs;
  if (!payload || !Array.isArray(sigs) || !sigs.length || sigs.length > 4) refuseManifest("envelope");
  const id = (await sha256(key)).slice(0, 16);
  const signed = await toSign(payload);
  const imported = await crypto.subtle.importKey("raw", key, "Ed25519", false, ["verify"]).catch(() => refuse("misconfigured", "browser without Ed25519"));
  let isSigned = false;
  for (const sig of sigs) {
    const signature = hasKeys(sig, "kid sig") && unb64url(sig["sig"]);
    if (!signature) refuseManifest("signature");
    isSigned ||= sig.kid === id && await crypto.subtle.verify("Ed25519", imported, signature, signed);
  }
  return isSigned && payload.length <= MAX_PAYLOAD_BYTES ? payload : refuseManifest("not signed by the pinned key");
}
var toSign = (payload) => new Blob([lengthOf(SIGNED_TYPE), SIGNED_TYPE, lengthOf(payload), payload]).arrayBuffer();
var lengthOf = ({ length }) => new BigUint64Array([BigInt(length)]);
function pack(value, below) {
  const bytes = [];
  for (let rest = below - 1n; rest || !bytes.length; rest >>= 8n, value >>= 8n) bytes.push(Number(value & 255n));
  return b64(bytes);
}
var columnsText = (columns) => `{${columns.map((column) => column.map((text) => JSON.stringify(text)).join(":")).join(",")}}`;
function reportBody(manifest, id, columns, attributes) {
  const start = JSON.stringify({ v: VERSION, manifest, ids: id }).slice(0, -1);
  const publics = attributes.length ? `,"attributes":${columnsText(attributes)}` : "";
  return `${start},"columns":${columnsText(columns)}${publics}}`;
}
var withdrawalBody = (survey, id) => JSON.stringify({ v: VERSION, survey, ids: id });

// src/survey.ts
var FIELDS = "v survey version previous publisher title purpose languages questions attributes linkage odds epsilon delta minimum_batch opens closes retention_days results requires";
var IDS = /^[a-z0-9][a-z0-9_-]{0,63}$/;
var LANGUAGE = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,2}$/;
var FAULTS = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u;
var isId = (value) => typeof value === "string" && IDS.test(value);
function check(isRight, what) {
  if (!isRight) refuseManifest(what);
}
async function parseSurvey(payload) {
  const given = object(parse(payload));
  check(given["v"] === 1, "v");
  const languages = list(given["languages"], 1, Infinity);
  check(languages.every((tag) => typeof tag === "string" && LANGUAGE.test(tag)), "languages");
  differ(languages);
  const text = (value, hasLines) => {
    check(hasKeys(value, languages.join(" ")), "languages");
    for (const word of Object.values(value)) words(word, hasLines);
  };
  const attributes = list(given["attributes"], 0, Infinity);
  const { survey: id, publisher } = given;
  oneOf(given["linkage"], "none", "joint");
  const rest = [given["version"], given["previous"], given["opens"], given["closes"], attributes];
  const isPlain = hasKeys(given, FIELDS) && JSON.stringify(rest) === "[1,null,null,null,[]]";
  const waves = isPlain ? void 0 : await (await import("../offers.js")).readMore(given, FIELDS, attributes, text);
  const { name, key, contact } = object(publisher, "name key contact");
  words(name);
  words(contact);
  check(unb64url(key)?.length === 32, "publisher key");
  const questions = await Promise.all(
    list(given["questions"], 1, 64).map(async (value) => {
      const question = await readQuestion(object(value), text);
      const { randomizer } = question;
      const { odds: cost, delta: chance = ZERO } = randomizer;
      return { ...question, ...waves ? waves.tossed(randomizer) : { tossed: randomizer, cost, chance } };
    })
  );
  check(isId(id), "survey");
  ids(questions.map((question) => question.topic));
  ids([...questions, ...attributes].map((part) => part.id));
  text(given["title"]);
  text(given["purpose"], true);
  integer(given["minimum_batch"], 1, 1e9);
  integer(given["retention_days"], 1, 36500);
  oneOf(given["results"], "public", "private");
  const { odds, delta } = spent(questions.map(({ cost, chance }) => ({ odds: cost, delta: chance })));
  check(delta.n < delta.d && given["delta"] === inFull(delta) && given["odds"] === inFull(odds), "odds");
  check(isEpsilon(given["epsilon"], odds), "epsilon");
  check(JSON.stringify(given["requires"]) === (waves ? '["waves"]' : "[]"), "requires");
  return { ...given, ...waves && { waves }, questions, digest: await sha256(payload) };
}
async function readQuestion(given, text) {
  text(given["text"], true);
  const isYesNo = hasKeys(given, "id topic text options mechanism") && `${JSON.stringify(given["options"])}` === "[]";
  const kind = isYesNo ? YES_NO : await (await import("../offers.js")).readKind(given, text);
  const spec = given["mechanism"];
  const name = object(spec)["name"];
  const found = await load2(name);
  check(found, "mechanism unknown to this version");
  const randomizer = found.fromSpec(spec, kind.answers);
  check(kind.fits(randomizer) && randomizer.answers === kind.answers, "mechanism");
  return { ...given, kind, randomizer, coins: found.coins };
}
function isEpsilon(claim, { n, d }) {
  const exact = Math.log(Number(n) / Number(d));
  const isFar = Math.abs((Number(claim) - exact) * 1e4 - 0.5) > 0.500001;
  return claim === Number(claim).toFixed(4) && !(isFar && exact < Infinity);
}
function object(value, names = "") {
  if (!isObject(value) || names && !hasKeys(value, names)) refuseManifest(`an object: ${names}`);
  return value;
}
function list(value, least, most) {
  check(Array.isArray(value) && value.length >= least && value.length <= most, "list");
  return value;
}
function ids(values) {
  check(values.every(isId), "ids");
  differ(values);
}
function differ(values) {
  check(new Set(values).size === values.length, "each differs");
}
function words(value, hasLines) {
  const length = typeof value === "string" ? [...value].length : 0;
  check(length && length <= 2e3, "text");
  check(!FAULTS.test(hasLines ? value.replace(/\n/g, "") : value), "text");
}
function integer(value, least, most) {
  check(Number.isInteger(value) && value >= least && value <= most, "number");
}
function oneOf(value, ...allowed) {
  check(allowed.includes(value), "value");
}

// src/device.ts
var USUAL = { question: ratio(9n), publisher: ratio(729n), device: ratio(6561n), delta: ratio(1n, 100000n) };
function deviceOf(link, settings) {
  if (!globalThis.crypto?.subtle) refuse("misconfigured", "no WebCrypto; is it https?");
  return { link, store: deviceStore, caps: USUAL, mustConsent: false, timeoutSeconds: 10, verified: /* @__PURE__ */ new Map(), ...settings };
}
var isOf = ({ link }) => ({ publisher, survey }) => publisher === link.publisher && survey === link.survey;
function standing(device, state) {
  const { publisher, survey } = device.link;
  let known2 = state.surveys.find(isOf(device));
  if (!known2) state.surveys.push(known2 = { publisher, survey, manifests: [], consent: null, isClosed: false, ...CALM });
  return known2;
}
async function verified(device, envelope) {
  const { key, publisher, survey: id } = device.link;
  const survey = await parseSurvey(await verify(envelope, key));
  if (survey.publisher.key !== publisher) refuseManifest("another publisher key");
  if (survey.survey !== id) refuseManifest("another survey");
  device.verified.set(survey.digest, Promise.resolve(survey));
  return survey;
}
async function versions(device, state) {
  const found = standing(device, state).manifests.map(({ digest, envelope }) => {
    const known2 = device.verified.get(digest) ?? verified(device, envelope);
    return known2.then((survey) => survey.digest === digest ? [survey] : [], (error) => {
      if (error.outcome === "refused-manifest") return [];
      throw error;
    });
  });
  return (await Promise.all(found)).flat();
}
var newest = (known2) => known2.at(-1);
async function accept(device, envelope) {
  const survey = await verified(device, envelope);
  const { digest, version } = survey;
  let seen = [];
  for (let missed = []; ; missed = await (await import("../versions.js")).missed(device, survey, seen)) {
    const isDone = await device.store.transact((state) => {
      const now = standing(device, state);
      const { manifests } = now;
      const isNew = manifests.at(-1)?.digest !== digest;
      if (isNew && manifests.length !== seen.length) {
        seen = manifests;
        return false;
      }
      if (isNew) now.manifests = [...seen, ...missed, { digest, version, envelope }];
      now.isClosed = false;
      return true;
    });
    if (isDone) return survey;
  }
}

// src/verdicts.ts
var FIRST_SECONDS = 30;
var LONGEST_SECONDS = 6 * 3600;
async function judge(answer) {
  const { status: status2, type, body } = answer;
  if (!status2) return { code: "offline", isFinal: false };
  const isTaken = status2 === 200 && type === RECEIPT_TYPE;
  if (isTaken && JSON.stringify(parse(body)) === '{"v":1,"received":1,"failed":[]}') return { code: "", isFinal: true };
  return import("../trouble.js").then((trouble) => trouble.judge(answer), () => ({ code: `http-${status2}`, isFinal: false }));
}
function settle(now, { code, isFinal, seconds }) {
  if (code === "survey-closed") now.isClosed = true;
  if (isFinal) Object.assign(now, CALM);
  else {
    const least = seconds ?? 1;
    const first = seconds ? 2 * seconds : FIRST_SECONDS;
    const range = Math.min(first * 2 ** now.failures++ - least + 1, LONGEST_SECONDS);
    const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
    const delay = least + random % range;
    Object.assign(now, { delay, retryAt: Math.floor(Date.now() / 1e3) + delay, problem: code });
  }
}

// src/upload.ts
async function ask(device, path, sent) {
  try {
    const answer = await fetch(device.link.server + path, {
      ...sent && { method: "POST", body: sent },
      // as text/plain, which no preflight comes before
      headers: { Accept: sent ? RECEIPT_TYPE : MANIFEST_TYPE },
      credentials: "omit",
      referrerPolicy: "no-referrer",
      redirect: "error",
      cache: "no-store",
      signal: AbortSignal.timeout(device.timeoutSeconds * 1e3)
    });
    const { status: status2, headers } = answer;
    return { status: status2, type: headers.get("Content-Type"), body: await read(answer), headers };
  } catch {
    return { status: 0, body: new Uint8Array() };
  }
}
async function read(answer) {
  const parts = [];
  let length = 0;
  const reader = answer.body?.getReader();
  for (let part; reader && !(part = await reader.read()).done; parts.push(part.value)) {
    length += part.value.length;
    if (length > MAX_BYTES) throw reader.cancel();
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
var flush = (device, isForced, limit = Infinity) => navigator.locks.request("tossup", { ifAvailable: true }, (lock) => lock ? upload(device, isForced, limit) : BUSY);
var BUSY = { sent: 0, withdrawn: 0, reason: "flushing" };
async function upload(device, isForced, limit) {
  const progress = { ...BUSY, reason: null };
  let queue = [];
  let about;
  const take = (state) => {
    const now = standing(device, state);
    const [next2, ...rest] = [...boxed(device, state, "pending").slice(0, limit), ...boxed(device, state, "withdrawing")];
    if (!next2 || progress.reason) return void 0;
    if (!isForced && remaining(now)) {
      progress.reason = "waiting";
      return void 0;
    }
    next2.attempted = true;
    if (rest.length) queue = rest;
    const following = queue.shift();
    about = following && [now, next2, following];
    return next2;
  };
  let next = await device.store.transact(take);
  while (next) {
    const { id, state: is } = next;
    const isReport = is === "pending";
    const body = isReport ? next.body : withdrawalBody(device.link.survey, id);
    const verdict = await judge(await ask(device, isReport ? "/v1/reports" : "/v1/withdrawals", body));
    const { code } = verdict;
    if (isReport) limit--;
    next = await device.store.transact((state) => {
      settle(standing(device, state), verdict);
      const report = boxed(device, state, is).find((found) => found.id === id);
      if (!verdict.isFinal) progress.reason = code;
      else if (code) Object.assign(report ?? {}, { state: isReport ? "quarantined" : "unwithdrawn", code });
      else {
        progress[isReport ? "sent" : "withdrawn"] += 1;
        if (isReport) Object.assign(report ?? {}, { state: "sent", body: "" });
        else state.outbox = state.outbox.filter((other) => other !== report);
      }
      return take(state);
    }, void 0, about);
  }
  return progress;
}
var boxed = (device, state, is) => state.outbox.filter((report) => report.state === is && isOf(device)(report)).sort((a, b) => a.id < b.id ? -1 : 1);
function remaining({ retryAt, delay }) {
  const left = retryAt - Math.floor(Date.now() / 1e3);
  return left > 0 && left <= delay ? left : 0;
}

// src/fetching.ts
async function fetchSurvey(device) {
  const { link, store } = device;
  const answer = await ask(device, `/v1/surveys/${link.survey}`);
  if (answer.status === 200 && answer.type === MANIFEST_TYPE) return accept(device, answer.body);
  const { code } = await judge(answer);
  if (code === "survey-unknown") refuse("misconfigured", code);
  const isClosed = await store.transact((state) => {
    const now = standing(device, state);
    if (code === "survey-closed") now.isClosed = true;
    else now.problem = code === "offline" ? code : "not-our-server";
    return now.isClosed;
  });
  if (isClosed) refuse("closed", "by the server");
  return newest(await versions(device, await store.read())) ?? refuse("unreachable", code);
}

// src/days.ts
var GRACE = 1;
var EARLIEST = 20089;
var dayNumber = (day) => Math.floor((day ? Date.parse(day) : Date.now()) / 864e5);
var isOver = ({ closes }) => closes !== null && dayNumber() - dayNumber(closes) > GRACE;
function checkDays(survey) {
  const { opens, closes } = survey;
  if (!opens && !closes) return;
  if (isOver(survey)) refuse("closed", `on ${closes}`);
  if (dayNumber() < EARLIEST) refuse("not-open", "clock not set");
  if (opens && dayNumber(opens) - dayNumber() > GRACE) refuse("not-open", `until ${opens}`);
}

// src/link.ts
var LINK = /^((?:https:\/\/[^/@?#]+|http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?)(?:\/[^/?#]+)*)\/v1\/surveys\/([a-z0-9][a-z0-9_-]{0,63})(?:#key=(.*))?$/;
function parseLink(text, publisherKey) {
  const [, server = "", survey = "", carried] = LINK.exec(text) ?? [];
  const publisher = publisherKey ?? carried ?? "";
  const key = unb64url(publisher);
  const isRight = /^[!-~]+$/.test(text) && URL.canParse(server) && key?.length === 32 && (carried ?? publisher) === publisher;
  return isRight ? { server, survey, key, publisher } : refuse("misconfigured", "link or publisher key");
}

// src/answering.ts
function checkAnswerable(device, state) {
  const { consent, isClosed } = standing(device, state);
  if (consent === false || consent === null && device.mustConsent) refuse("no-consent", "not agreed");
  if (isClosed) refuse("closed", "by the server");
}
function validate(survey, answers, isRepeat = false) {
  const given = new Map(isObject(answers) ? Object.entries(answers) : refuse("refused-answer", "no object"));
  const asked = isRepeat ? [] : survey.questions.filter((question) => given.has(question.id));
  const publics = survey.waves ? survey.attributes.slice(0, -1) : survey.attributes;
  const isWhole = survey.linkage === "none" ? asked.length : asked.length === survey.questions.length;
  if (!(isWhole || isRepeat) || given.size !== asked.length + publics.length) {
    refuse("refused-answer", "not the questions and attributes asked");
  }
  const attributes = publics.map(({ id, options }) => {
    const at = options.findIndex((option) => option.id === given.get(id));
    return [id, at < 0 ? refuse("refused-answer", id) : at];
  });
  const places = asked.map((question) => {
    const place = question.kind.place(given.get(question.id));
    return [question, place ?? refuse("refused-answer", question.id)];
  });
  return { places: new Map(places), attributes: Object.fromEntries(attributes) };
}
var past = ({ link }, state, { topic }) => state.ledger.filter((entry) => entry.publisher === link.publisher && entry.topic === topic);
function due(device, state, questions) {
  return { toss: questions.filter((question) => !past(device, state, question).length), again: /* @__PURE__ */ new Map() };
}
function checkCaps(device, state, fresh) {
  const { caps, link } = device;
  for (const question of fresh) {
    const ever = spent([...past(device, state, question), question.tossed]);
    if (isAbove(question.cost, caps.question) || isAbove(ever.odds, caps.question)) {
      refuse("refused-cap", `questionCap: ${question.id}`);
    }
  }
  const tosses = fresh.map(({ tossed }) => tossed);
  const mine = state.ledger.filter(({ publisher }) => publisher === link.publisher);
  const all = spent([...state.ledger, ...tosses]);
  if (isAbove(spent([...mine, ...tosses]).odds, caps.publisher)) refuse("refused-cap", "publisherCap");
  if (isAbove(all.odds, caps.device)) refuse("refused-cap", "deviceCap");
  if (spent(tosses).delta.n && isAbove(all.delta, caps.delta)) refuse("refused-cap", "deltaCap");
}
function reserve(device, state, survey, given, known2, wave) {
  const { publisher } = device.link;
  const asked = [...known2.toss, ...known2.again.keys()];
  for (const { topic, tossed } of asked) {
    const isFresh = known2.toss.some((question) => question.topic === topic);
    const { odds, delta } = spent(isFresh ? [tossed] : []);
    state.ledger.push({ publisher, topic, survey: survey.survey, odds, delta, wave });
  }
  known2.reserve?.();
  const attributes = survey.attributes.map(({ id, options }) => {
    return [id, pack(BigInt(given.attributes[id] ?? wave - 1), BigInt(options.length))];
  });
  const body = (id, questions, value) => {
    const columns = questions.map((question) => {
      return [question.id, pack(value(question), question.randomizer.reports)];
    });
    return reportBody(survey.digest, id, columns, attributes);
  };
  const together = survey.linkage === "joint" ? [survey.questions] : asked.map((question) => [question]);
  const reports = together.map((questions) => {
    const id = b64(crypto.getRandomValues(new Uint8Array(16)));
    const blank = body(id, questions, () => 0n);
    return [{ id, publisher, survey: survey.survey, body: blank, state: "pending", code: "", attempted: false }, questions];
  });
  state.outbox.push(...reports.map(([report]) => report));
  return {
    tossAll() {
      for (const [report, questions] of reports) {
        report.body = body(report.id, questions, (question) => toss(question, given.places.get(question), known2));
      }
    }
  };
}
function toss(question, place, known2) {
  if (known2.value) return known2.value(question, place, question.coins);
  const coins = question.coins();
  return question.randomizer.randomize(question.kind.index(place, question.randomizer, coins), coins);
}

// src/tossing.ts
var once = ({ linkage, questions }) => ({
  due(device, state, asked, wave, isRepeat) {
    if (wave !== void 0) refuse("refused-answer", "no waves");
    if (isRepeat) refuse("not-asked", "no waves");
    const found = due(device, state, asked);
    const { length } = found.toss;
    if (!length || linkage === "joint" && length !== questions.length) refuse("already-answered", "all topics");
    return [found, 0];
  }
});
async function toss2(device, answers, { wave, manifest } = {}, isRepeat = false) {
  for (; ; ) {
    const before = await device.store.read();
    checkAnswerable(device, before);
    const known2 = await versions(device, before);
    const survey = newest(known2);
    if (!survey) {
      await device.fetched(device);
      continue;
    }
    const asking = survey.waves ? (await import("../waves.js")).inWaves(survey, survey.waves) : once(survey);
    const raises = known2.length > 1 && await import("../versions.js");
    if (asking.begin) await device.store.transact((state) => asking.begin?.(device, state));
    const isDone = await device.store.transact(
      (state) => {
        checkAnswerable(device, state);
        if (standing(device, state).manifests.length !== standing(device, before).manifests.length) return false;
        checkDays(survey);
        if (![void 0, survey.digest].includes(manifest)) refuse("preview-again", "another version");
        const given = validate(survey, answers, isRepeat);
        const [now, number] = asking.due(device, state, [...given.places.keys()], wave, isRepeat);
        checkCaps(device, state, now.toss);
        if (raises) raises.checkRaised(device, state, known2, now.toss);
        return reserve(device, state, survey, given, now, number);
      },
      (reserved) => reserved && reserved.tossAll()
    );
    if (!isDone) continue;
    if (device.store.isDurable) void navigator.storage?.persist?.().catch(() => false);
    return;
  }
}
async function toAsk(device) {
  const state = await device.store.read();
  const { questions, linkage, waves } = newest(await versions(device, state)) ?? await device.fetched(device);
  if (waves) return (await (await import("../status.js")).status(device)).waves?.toAsk ?? [];
  const found = due(device, state, questions).toss;
  return linkage === "none" || found.length === questions.length ? found.map((question) => question.id) : [];
}

// src/client.ts
var Client = class {
  #device;
  #isStrict;
  #refused = null;
  /**
   * Answer one survey on one device.
   *
   * @param link `https://host/v1/surveys/<id>#key=<publisher key>`; `http://` only to this machine.
   */
  constructor(link, options = {}) {
    this.#isStrict = options.strict === true;
    this.#device = begin(link, options);
    this.#device.catch(() => {
    });
  }
  /**
   * Fetch the survey, verify it and return it; the stored one when offline.
   *
   * @returns undefined if there is none to trust, or it is closed. One that is not open yet is
   *   returned.
   */
  async survey() {
    const [survey] = await this.#attempt(async (device) => {
      const found = await fetchSurvey(device);
      if (isOver(found)) checkDays(found);
      return found;
    });
    return survey;
  }
  /**
   * Toss the coins for these answers and store the randomized reports durably.
   *
   * @param answers By question id: a boolean for yes or no, an option's id for a choice, a list of
   *   ids where several may be ticked or are put in order, a number for numbers, a list of them for
   *   a vector, a string for a text; and an option's id for every public attribute.
   * @param how `manifest`: the digest of the survey that the respondent was shown; if it has another
   *   version by now, nothing is tossed: "preview-again". `wave`: for a survey that asks in waves,
   *   which one; by default the one that is on today.
   * @returns "queued" if a new topic was answered; those answered before are left out.
   */
  async answer(answers, how = {}) {
    const [, outcome] = await this.#attempt((device) => toss2(device, answers, how));
    return outcome ?? "queued";
  }
  /** Report again in this wave what was tossed in an earlier one; nobody is asked. */
  async repeat(attributes = {}, how = {}) {
    const [, outcome] = await this.#attempt((device) => toss2(device, attributes, how, true));
    return outcome ?? "queued";
  }
  /**
   * Return exactly what can be sent, and with which odds; nothing is tossed.
   *
   * @param names Ids of the questions to preview; all by default.
   */
  async preview(names) {
    return (await this.#attempt(async (device) => (await import("../preview.js")).preview(device, names)))[0];
  }
  /**
   * Send the stored reports and withdrawals. Any page may do so, at any time.
   *
   * @param options `force`: do not wait for the back-off of an earlier failure. `limit`: send at most
   *   so many reports.
   */
  async flush({ force = false, limit = Infinity } = {}) {
    const [result, outcome] = await this.#attempt(async (device) => {
      const progress = await flush(device, force, Math.max(limit, 0));
      const state = await device.store.read();
      const count = (is) => boxed(device, state, is).length;
      return {
        ...progress,
        pending: count("pending"),
        quarantined: count("quarantined"),
        unwithdrawn: count("unwithdrawn"),
        retryAfterSeconds: remaining(standing(device, state))
      };
    });
    const unknown = { sent: 0, withdrawn: 0, pending: null, quarantined: null, unwithdrawn: null, retryAfterSeconds: 0 };
    return result ?? { ...unknown, reason: outcome ?? null };
  }
  /**
   * Return the ids of the questions that may be asked now; none where all were answered before, or
   * no wave of this device is on.
   */
  async toAsk() {
    const [ids2] = await this.#attempt(toAsk);
    return ids2 ?? [];
  }
  /** Return what is stored and spent, and what stands in the way. */
  async status() {
    const before = this.#refused;
    const [found, outcome] = await this.#attempt(status);
    const shown = found ?? (await import("../status.js")).nothing(USUAL);
    return { ...shown, problem: this.#refused ?? before ?? shown.problem, trouble: outcome ?? null };
  }
  /** Store whether the respondent agrees to take part. */
  async consent(agrees) {
    return this.#change(() => (device, state) => {
      standing(device, state).consent = agrees === true;
    });
  }
  /**
   * Delete unsent reports, have sent ones withdrawn by the next `flush()`, end consent. What was
   * spent stays spent.
   */
  async withdraw() {
    return this.#change(async () => (await import("../rights.js")).withdraw);
  }
  /**
   * Erase what this device keeps of the survey: its text, the ids of reports, unsent reports. The
   * ledger keeps the topic's name and its cost, so that no coin is ever tossed twice. Sent reports
   * stay where they are, and cannot be withdrawn from here any more: withdraw and flush first.
   */
  async forget() {
    return this.#change(async () => (await import("../rights.js")).forget);
  }
  async #change(load3) {
    const [, outcome] = await this.#attempt(async (device) => {
      const change = await load3();
      return device.store.transact((state) => change(device, state));
    });
    return outcome ?? "stored";
  }
  /** Return what work returns, or the outcome of what it throws; the error is gone then. */
  async #attempt(work) {
    try {
      const made = await work(await this.#device);
      this.#refused = null;
      return [made];
    } catch (error) {
      const { outcome, message } = error instanceof Refusal ? error : { outcome: "failed", message: `${error?.name}` };
      this.#refused = `${outcome}: ${message}`;
      if (this.#isStrict) throw new Refusal(outcome, message);
      return [void 0, outcome];
    }
  }
};
var status = async (device) => (await import("../status.js")).status(device);
async function begin(link, options) {
  const { publisherKey, persist = "device", requireConsent, timeoutSeconds = 10 } = options;
  return deviceOf(parseLink(link, publisherKey), {
    fetched: fetchSurvey,
    mustConsent: requireConsent === true,
    timeoutSeconds,
    ...persist !== "device" && { store: (await import("../store/page.js")).pageStore(persist) },
    ...Object.keys(options).some((name) => name.endsWith("Cap")) && { caps: (await import("../caps.js")).capsOf(options, USUAL) }
  });
}

// src/mechanisms/two-coin.ts
var REPORTS = 0b11011000n;
var fromSpec = (spec, answers) => {
  if (Object.keys(spec).length > 1 || answers !== 2n) {
    refuseManifest("two coins take no parameters, and are for yes and no");
  }
  const [often, seldom] = [{ n: 3n, d: 4n }, { n: 1n, d: 4n }];
  return {
    id: "two-coin/1",
    answerKind: "choice",
    answers,
    reports: 2n,
    odds: { n: 3n, d: 1n },
    stated: () => ({ sentence: "answers", chances: [[often, seldom], [seldom, often]] }),
    // Both coins come from one draw and are always used, so that no time tells the first one.
    randomize: (answer, coins) => REPORTS >> 4n * answer + coins.bits(2) & 1n
  };
};

export {
  Refusal,
  refuse,
  refuseManifest,
  emptyState,
  CHOICE,
  YES_NO,
  fromSpec,
  ONE,
  ZERO,
  ratio,
  times,
  plus,
  isAbove,
  inFull,
  spent,
  MANIFEST_TYPE,
  RECEIPT_TYPE,
  parse,
  hasKeys,
  past,
  dayNumber,
  isOver,
  checkDays,
  judge,
  ask,
  remaining,
  check,
  object,
  list,
  ids,
  integer,
  isOf,
  standing,
  verified,
  versions,
  newest,
  Client
};
//# sourceMappingURL=QSFGJONQ.js.map
