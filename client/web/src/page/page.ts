/**
 * The respondents' page: it shows one screen at a time of what the server has written, reads the
 * fields, and hands the answer to the SDK. Every word stands in the page; here are none.
 *
 * An answer lives in the form and in local variables until it was tossed, and in neither after.
 */

import { Client } from "../client.js";
import { all, FIELDS, type Reader } from "./field.js";

type Form = HTMLFormElement;
type FlushResult = Awaited<ReturnType<Client["flush"]>>;
/** What the last screen tells: it was tossed and sent now, not at all, or before. */
type End = "sent" | "none" | "already";

const page = one("#page");
const words = page.dataset;
const screens = all<HTMLElement>(page, "[data-screen]");
const readers = new Map<HTMLElement, Reader>();
const attributes: Record<string, unknown> = {};
let steps: Form[] = [];
let odds = 1;
let reports = 0;
let skipped = 0;
let client: Client;

function one(selector: string, within: ParentNode = document): HTMLElement {
  return within.querySelector(selector) as HTMLElement;
}

function named(name: string): HTMLElement {
  return screens.find((screen) => screen.dataset["screen"] === name) ?? named("failed");
}

/** Show one screen and nothing else, and tell those who do not see it. */
function show(screen: HTMLElement): void {
  for (const other of screens) other.hidden = other !== screen;
  const heading = one("h1", screen);
  heading.focus();
  scrollTo(0, 0);
  document.title = `${heading.innerText.trim()} · Tossup`;
}

/** Do what may be refused; if it is, show why. */
function attempt(work: () => Promise<unknown>): void {
  work().catch(({ outcome = "failed" }: { outcome?: string }) => {
    if (outcome === "already-answered") attempt(() => finish("already"));
    else if (outcome === "preview-again") renew();
    else show(named(outcome));
  });
}

function questions(within: ParentNode): HTMLElement[] {
  return all<HTMLElement>(within, "[data-question]");
}

async function begin(): Promise<void> {
  const { link = "", key } = words;
  client = new Client(new URL(link, location.href).href + location.hash, { strict: true, ...(key && { publisherKey: key }) });
  const survey = await client.survey();
  if (survey?.digest !== words["digest"]) return renew();
  const due = await client.toAsk();
  if (!due.length) return survey?.waves ? repeat() : finish("already");
  steps = all<Form>(page, "form").filter((form) => {
    const asked = questions(form);
    return !asked.length || asked.some(({ dataset }) => due.includes(dataset["question"] as string));
  });
  // All that is needed later is loaded now: there may be no network then.
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
  one("#memory").hidden = !!(await navigator.storage?.persisted?.());
  one("#wait").hidden = true;
  start.hidden = false;
  void client.flush(); // what an earlier visit could not send
  const practice = one("#practice");
  if (practice) (await import("./practice.js")).practise(practice);
}

/** Load the page again if it shows another version than the signed one; once, and then say so. */
function renew(): void {
  const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (entry?.type === "reload" || words["key"]) show(named("outdated"));
  else location.reload();
}

/** Report again in this wave what was tossed in an earlier one, where nobody has to be asked. */
async function repeat(): Promise<void> {
  await client.repeat();
  await finish("already");
}

async function agree(): Promise<void> {
  await client.consent(true);
  await next();
}

async function next(): Promise<void> {
  const form = steps.shift();
  if (!form) return finish(reports ? "sent" : "none");
  show(form);
}

async function prepare(form: Form): Promise<void> {
  for (const fieldset of all<HTMLElement>(form, "fieldset")) {
    const load = FIELDS[fieldset.dataset["field"] as string];
    if (load) readers.set(fieldset, (await load()).field(fieldset));
  }
}

/** Take what is in a form; toss and send it, or keep it until the first toss if it is public. */
async function submit(form: Form): Promise<void> {
  const given: Record<string, unknown> = {};
  for (const fieldset of all<HTMLElement>(form, "fieldset")) {
    fieldset.removeAttribute("aria-invalid");
    if (all(fieldset, "[data-skip]").some((box) => box.checked)) continue;
    const read = (readers.get(fieldset) as Reader)();
    if ("wrong" in read) return refuse(form, fieldset, read.wrong);
    given[(fieldset.dataset["question"] ?? fieldset.dataset["attribute"]) as string] = read.answer;
  }
  const asked = questions(form);
  const tossed = asked.filter(({ dataset }) => (dataset["question"] as string) in given);
  skipped += asked.length - tossed.length;
  if (!asked.length) Object.assign(attributes, given);
  if (tossed.length && !(await toss(form, given, tossed))) return;
  form.reset();
  await next();
}

/** Toss and send, in one: nothing is shown between the two. Return whether it was done. */
async function toss(form: Form, given: Record<string, unknown>, tossed: HTMLElement[]): Promise<boolean> {
  const button = one("button:not([type])", form) as HTMLButtonElement;
  if (button.disabled) return false;
  button.disabled = true;
  try {
    await client.answer({ ...attributes, ...given }, { manifest: words["digest"] as string });
  } catch (error) {
    const { outcome } = error as { outcome?: string };
    if (outcome === "refused-answer") refuse(form, tossed[0] as HTMLElement, "text");
    // Another tab was faster: its report is the one that counts.
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

function refuse(form: Form, fieldset: HTMLElement, wrong: string): void {
  fieldset.setAttribute("aria-invalid", "true");
  one(".error", form).textContent = words[wrong] ?? "";
  one("input, select, button", fieldset).focus();
}

/** Show what was done, and send what is left. */
async function finish(end: End): Promise<void> {
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

function told(end: End, { pending }: FlushResult): void {
  const receipt = named("receipt");
  for (const part of all<HTMLElement>(receipt, "[data-when]")) part.hidden = part.dataset["when"] !== (pending ? "kept" : end);
  const isNow = end !== "already";
  const figures: Record<string, string | false> = {
    reports: isNow && `${reports}`,
    skipped: isNow && `${skipped}`,
    day: isNow && new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "long" }).format(),
    odds: odds > 1 && (words["toOne"] as string).replace("{}", `${Math.ceil(odds * 100 - 1e-6) / 100}`),
  };
  for (const [name, figure] of Object.entries(figures)) {
    const row = one(`[data-row=${name}]`, receipt);
    row.hidden = !figure;
    one("dd", row).textContent = figure || "";
  }
  one(".receipt", receipt).hidden = !isNow;
}

/** Do what a button of the receipt says, and say below that it was done. */
function say(selector: string, work: () => Promise<"said" | "kept">): void {
  const button = one(selector) as HTMLButtonElement;
  const status = one("[role=status]", button.closest("details") as HTMLElement);
  button.addEventListener("click", () => attempt(async () => {
    button.disabled = true;
    status.textContent = status.dataset[await work()] ?? "";
  }));
}

// A page that the back button brings back has its forms as they were left, and its place, too.
attempt(begin);
