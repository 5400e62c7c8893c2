import {
  FIELDS,
  all
} from "../shared/BSMZBZFH.js";
import {
  Client
} from "../shared/7KQQEI2G.js";

// src/page/page.ts
var page = one("#page");
var words = page.dataset;
var screens = all(page, "[data-screen]");
var readers = /* @__PURE__ */ new Map();
var attributes = {};
var steps = [];
var odds = 1;
var reports = 0;
var skipped = 0;
var client;
function one(selector, within = document) {
  return within.querySelector(selector);
}
function named(name) {
  return screens.find((screen) => screen.dataset["screen"] === name) ?? named("failed");
}
function show(screen) {
  for (const other of screens) other.hidden = other !== screen;
  const heading = one("h1", screen);
  heading.focus();
  scrollTo(0, 0);
  document.title = `${heading.innerText.trim()} · Tossup`;
}
function attempt(work) {
  work().catch(({ outcome = "failed" }) => {
    if (outcome === "already-answered") attempt(() => finish("already"));
    else if (outcome === "preview-again") renew();
    else show(named(outcome));
  });
}
function questions(within) {
  return all(within, "[data-question]");
}
async function begin() {
  const { link = "", key } = words;
  client = new Client(new URL(link, location.href).href + location.hash, { strict: true, ...key && { publisherKey: key } });
  const survey = await client.survey();
  if (survey?.digest !== words["digest"]) return renew();
  const due = await client.toAsk();
  if (!due.length) return survey?.waves ? repeat() : finish("already");
  steps = all(page, "form").filter((form) => {
    const asked = questions(form);
    return !asked.length || asked.some(({ dataset }) => due.includes(dataset["question"]));
  });
  if (survey && survey.version > 1) await client.preview();
  for (const form of steps) {
    await prepare(form);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      attempt(() => submit(form));
    });
  }
  const start = one("#start");
  start.addEventListener("click", () => attempt(agree));
  one("#memory").hidden = !!await navigator.storage?.persisted?.();
  one("#wait").hidden = true;
  start.hidden = false;
  void client.flush();
  const practice = one("#practice");
  if (practice) (await import("./practice.js")).practise(practice);
}
function renew() {
  const [entry] = performance.getEntriesByType("navigation");
  if (entry?.type === "reload" || words["key"]) show(named("outdated"));
  else location.reload();
}
async function repeat() {
  await client.repeat();
  await finish("already");
}
async function agree() {
  await client.consent(true);
  await next();
}
async function next() {
  const form = steps.shift();
  if (!form) return finish(reports ? "sent" : "none");
  show(form);
}
async function prepare(form) {
  for (const fieldset of all(form, "fieldset")) {
    const load = FIELDS[fieldset.dataset["field"]];
    if (load) readers.set(fieldset, (await load()).field(fieldset));
  }
}
async function submit(form) {
  const given = {};
  for (const fieldset of all(form, "fieldset")) {
    fieldset.removeAttribute("aria-invalid");
    if (all(fieldset, "[data-skip]").some((box) => box.checked)) continue;
    const read = readers.get(fieldset)();
    if ("wrong" in read) return refuse(form, fieldset, read.wrong);
    given[fieldset.dataset["question"] ?? fieldset.dataset["attribute"]] = read.answer;
  }
  const asked = questions(form);
  const tossed = asked.filter(({ dataset }) => dataset["question"] in given);
  skipped += asked.length - tossed.length;
  if (!asked.length) Object.assign(attributes, given);
  if (tossed.length && !await toss(form, given, tossed)) return;
  form.reset();
  await next();
}
async function toss(form, given, tossed) {
  const button = one("button:not([type])", form);
  if (button.disabled) return false;
  button.disabled = true;
  try {
    await client.answer({ ...attributes, ...given }, { manifest: words["digest"] });
  } catch (error) {
    const { outcome } = error;
    if (outcome === "refused-answer") refuse(form, tossed[0], "text");
    else if (outcome !== "already-answered") throw error;
    return outcome !== "refused-answer";
  } finally {
    button.disabled = false;
  }
  for (const { dataset } of tossed) odds *= Number(dataset["odds"]);
  reports += 1;
  if (steps.length) void client.flush();
  return true;
}
function refuse(form, fieldset, wrong) {
  fieldset.setAttribute("aria-invalid", "true");
  one(".error", form).textContent = words[wrong] ?? "";
  one("input, select, button", fieldset).focus();
}
async function finish(end) {
  told(end, await client.flush({ force: navigator.onLine }));
  show(named("receipt"));
  addEventListener("online", () => attempt(async () => told(end, await client.flush({ force: true }))));
  say("#withdraw", async () => {
    await client.withdraw();
    const { reason } = await client.flush({ force: true });
    return reason ? "kept" : "said";
  });
  say("#forget", async () => {
    await client.forget();
    return "said";
  });
}
function told(end, { pending }) {
  const receipt = named("receipt");
  for (const part of all(receipt, "[data-when]")) part.hidden = part.dataset["when"] !== (pending ? "kept" : end);
  const isNow = end !== "already";
  const figures = {
    reports: isNow && `${reports}`,
    skipped: isNow && `${skipped}`,
    day: isNow && new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "long" }).format(),
    odds: odds > 1 && words["toOne"].replace("{}", `${Math.ceil(odds * 100 - 1e-6) / 100}`)
  };
  for (const [name, figure] of Object.entries(figures)) {
    const row = one(`[data-row=${name}]`, receipt);
    row.hidden = !figure;
    one("dd", row).textContent = figure || "";
  }
  one(".receipt", receipt).hidden = !isNow;
}
function say(selector, work) {
  const button = one(selector);
  const status = one("[role=status]", button.closest("details"));
  button.addEventListener("click", () => attempt(async () => {
    button.disabled = true;
    status.textContent = status.dataset[await work()] ?? "";
  }));
}
attempt(begin);
//# sourceMappingURL=page.js.map
