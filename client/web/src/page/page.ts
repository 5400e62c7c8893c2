/**
 * The respondents' page: it shows one screen at a time of what the server has written, reads the
 * fields, and hands the answer to the SDK. Every word stands in the page; here are none.
 *
 * An answer lives in the form and in local variables until it was tossed, and in neither after.
 */

import { Client } from "../client.js";
import { all, FIELDS, type Reader } from "./field.js";

type Form = HTMLFormElement;
type Status = Awaited<ReturnType<Client["status"]>>;
type FlushResult = Awaited<ReturnType<Client["flush"]>>;
/** What the last screen tells: all is sent, some is kept, nothing was tossed, or it was before. */
type End = "sent" | "kept" | "none" | "already";

const page = one("#page");
const words = page.dataset;
const screens = all<HTMLElement>(page, "[data-screen]");
const readers = new Map<HTMLElement, Reader>();
const attributes: Record<string, unknown> = {};
let steps: Form[] = [];
let odds = 1;
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
  work().catch((error: { outcome?: string }) => show(named(error.outcome ?? "failed")));
}

function questions(within: ParentNode): HTMLElement[] {
  return all<HTMLElement>(within, "[data-question]");
}

async function begin(): Promise<void> {
  const { link = "", key } = words;
  client = new Client(new URL(link, location.href).href + location.hash, { strict: true, ...(key && { publisherKey: key }) });
  const survey = await client.survey();
  if (survey?.digest !== words["digest"]) return renew();
  const status = await client.status();
  const due = questions(page).filter((asked) => isDue(asked, status));
  if (!due.length) return status.waves?.toRepeat.length ? repeat() : finish(status.waves && !status.sent ? "not-asked" : "already");
  steps = all<Form>(page, "form").filter((form) => !questions(form).length || due.some((asked) => form.contains(asked)));
  await client.preview(); // all that is needed later is loaded now: there may be no network then
  for (const form of steps) {
    await prepare(form);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      attempt(() => submit(form));
    });
  }
  const start = one("#start");
  start.addEventListener("click", () => attempt(agree));
  one("#memory").hidden = status.remembers;
  one("#wait").hidden = true;
  start.hidden = false;
  void client.flush(); // what an earlier visit could not send
  const practice = one("#practice");
  if (practice) (await import("./practice.js")).practise(practice);
}

function isDue(asked: HTMLElement, { waves, answeredTopics }: Status): boolean {
  const { question = "", topic = "" } = asked.dataset;
  return waves ? waves.toAsk.includes(question) : !answeredTopics.includes(topic);
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
  return finish("already");
}

async function agree(): Promise<void> {
  await client.consent(true);
  await next();
}

async function next(): Promise<void> {
  const form = steps.shift();
  if (!form) return finish(odds > 1 ? "sent" : "none");
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
    await client.answer({ ...attributes, ...given });
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
  if (steps.length) void client.flush();
  return true;
}

function refuse(form: Form, fieldset: HTMLElement, wrong: string): void {
  fieldset.setAttribute("aria-invalid", "true");
  one(".error", form).textContent = words[wrong] ?? "";
  one("input, select, button", fieldset).focus();
}

/** Show what was done, and send what is left. */
async function finish(end: End | "not-asked"): Promise<void> {
  if (end === "not-asked") return show(named(end));
  const result = await client.flush({ force: navigator.onLine });
  await told(end === "sent" && result.pending ? "kept" : end, result);
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

async function told(end: End, { pending }: FlushResult): Promise<void> {
  const receipt = named("receipt");
  const { sent } = await client.status();
  for (const part of all<HTMLElement>(receipt, "[data-when]")) part.hidden = part.dataset["when"] !== (pending ? "kept" : end);
  const day = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "long" }).format();
  const figures: Record<string, string> = {
    reports: `${sent + (pending ?? 0)}`,
    skipped: end === "already" ? "" : `${skipped}`,
    day: end === "already" ? "" : day,
    odds: odds > 1 ? (words["toOne"] as string).replace("{}", `${Math.ceil(odds * 100 - 1e-6) / 100}`) : "",
  };
  for (const [name, figure] of Object.entries(figures)) {
    const row = one(`[data-row=${name}]`, receipt);
    row.hidden = !figure;
    one("dd", row).textContent = figure;
  }
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
