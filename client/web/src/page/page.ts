/**
 * The respondents' page: it shows one screen at a time of what the server has written, reads the
 * fields, and hands the answer to the SDK. Every word stands in the page; here are none.
 *
 * An answer lives in the form and in local variables until it was tossed, and in neither after.
 */

import { checkDays } from "../days.js";
import { accept, type Device, deviceOf, standing } from "../device.js";
import { parseLink } from "../link.js";
import { refuse } from "../refusal.js";
import { toAsk, toss } from "../tossing.js";
import { boxed, flush } from "../upload.js";
import { all, pressed, type Reader } from "./field.js";

type Form = HTMLFormElement;
/** What the last screen tells: it was tossed and sent now, not at all, or before. */
type End = "sent" | "none" | "already";

// Links to the other pages of a survey keep the key, which stands behind the # of the address.
for (const keyed of all<HTMLAnchorElement>(document, "a[data-keyed]")) keyed.hash = location.hash;

const page = one("#page");
const words = page.dataset;
const screens = all<HTMLElement>(page, "[data-screen]");
const readers = new Map<HTMLElement, Reader>();
const attributes: Record<string, unknown> = {};
let steps: Form[] = [];
let odds = 1;
let reports = 0;
let skipped = 0;
let device: Device; // undefined where there can be none
let sending: Promise<unknown> = Promise.resolve();

function one(selector: string, within: ParentNode = document): HTMLElement {
  return within.querySelector(selector) as HTMLElement;
}

/** Return a screen; the last one, of a page that has none of that name. */
function named(name: string): HTMLElement {
  return (screens.find((screen) => screen.dataset["screen"] === name) ?? screens.at(-1)) as HTMLElement;
}

/** Show one screen and nothing else, and tell those who do not see it. */
function show(screen: HTMLElement): void {
  for (const other of screens) other.hidden = other !== screen;
  const heading = one("h1", screen);
  heading.focus();
  scrollTo(0, 0);
  document.title = `${heading.innerText} · Tossup`;
}

/** Do what may be refused; if it is, show why. */
function attempt(work: () => Promise<unknown>): void {
  work().catch(({ outcome = "failed" }: { outcome?: string }) => {
    if (outcome === "already-answered") return attempt(() => finish("already"));
    // A server that cannot be reached hands out no module: nobody waits for one.
    const loading = outcome === "unreachable" ? Promise.reject() : import("./refused.js");
    const told = loading.then((refused) => refused.screenOf(outcome, device, words));
    void told.catch(() => outcome).then((name) => name && show(named(name)));
  });
}

function questions(within: ParentNode): HTMLElement[] {
  return all<HTMLElement>(within, "[data-question]");
}

async function begin(): Promise<void> {
  const { key } = words;
  device = deviceOf(parseLink(new URL(words["link"] as string, location.href).href + location.hash, key), {
    fetched: async () => (await import("../fetching.js")).fetchSurvey(device),
  });
  // A page of the survey's own server brings the manifest along; a page of another host fetches it.
  const { manifest } = words;
  const survey = manifest ? await accept(device, new TextEncoder().encode(manifest)) : await device.fetched(device);
  checkDays(survey);
  if (survey.digest !== words["digest"]) refuse("preview-again", "the page shows another version");
  const due = await toAsk(device);
  if (!due.length) {
    // Where nobody has to be asked, what was tossed in an earlier wave is reported again in this one.
    if (survey.waves) await toss(device, {}, {}, true);
    return finish("already");
  }
  steps = all<Form>(page, "form").filter((form) => {
    const asked = questions(form);
    return !asked.length || asked.some(({ dataset }) => due.includes(dataset["question"] as string));
  });
  // All that is needed later is loaded now: there may be no network then.
  if (survey.version > 1) await (await import("../preview.js")).preview(device);
  for (const form of steps) {
    await prepare(form);
    form.onsubmit = (event) => {
      event.preventDefault();
      attempt(() => submit(form));
    };
  }
  one("#start").onclick = () => attempt(agree);
  one("#memory").hidden = !!(await navigator.storage?.persisted?.());
  for (const part of all<HTMLElement>(page, "[data-ready]")) part.hidden = !part.hidden; // Start comes, the wait goes
  void send(false); // what an earlier visit could not send
  const practice = one("#practice button");
  if (practice) practice.onclick = async () => (await import("./practice.js")).practise(one("#practice"));
}

async function agree(): Promise<void> {
  await device.store.transact((state) => {
    standing(device, state).consent = true;
  });
  await next();
}

async function next(): Promise<void> {
  const form = steps.shift();
  return form ? show(form) : finish(reports ? "sent" : skipped ? "none" : "already");
}

async function prepare(form: Form): Promise<void> {
  for (const fieldset of all<HTMLElement>(form, "fieldset")) {
    const read = fieldset.dataset["field"] === "yes-no"
      ? () => pressed(fieldset, (id) => id === "yes")
      : await (await import("./fields.js")).readerOf(fieldset);
    if (read) readers.set(fieldset, read);
  }
}

/** Take what is in a form; toss and send it, or keep it until the first toss if it is public. */
async function submit(form: Form): Promise<void> {
  const given: Record<string, unknown> = {};
  for (const fieldset of all<HTMLElement>(form, "fieldset")) {
    fieldset.removeAttribute("aria-invalid");
    if (all(fieldset, "[data-skip]").some((box) => box.checked)) continue;
    const read = (readers.get(fieldset) as Reader)();
    if ("wrong" in read) return point(form, fieldset, read.wrong);
    given[(fieldset.dataset["question"] ?? fieldset.dataset["attribute"]) as string] = read.answer;
  }
  const asked = questions(form);
  const tossed = asked.filter(({ dataset }) => (dataset["question"] as string) in given);
  skipped += asked.length - tossed.length;
  if (!asked.length) Object.assign(attributes, given);
  if (tossed.length && !(await give(form, given, tossed))) return;
  form.reset();
  await next();
}

/** Toss and send, in one: nothing is shown between the two. Return whether it was done. */
async function give(form: Form, given: Record<string, unknown>, tossed: HTMLElement[]): Promise<boolean> {
  const button = one("button:not([type])", form) as HTMLButtonElement;
  if (button.disabled) return false;
  button.disabled = true;
  try {
    await toss(device, { ...attributes, ...given }, { manifest: words["digest"] as string });
  } catch (error) {
    const { outcome } = error as { outcome?: string };
    // Another tab was faster: its report is the one that counts.
    if (outcome === "already-answered") return true;
    if (outcome !== "refused-answer") throw error;
    point(form, tossed[0] as HTMLElement, "text");
    return false;
  } finally {
    button.disabled = false;
  }
  for (const { dataset } of tossed) odds *= Number(dataset["odds"]);
  reports += 1;
  if (steps.length) void send(false);
  return true;
}

/** Say what is wrong with a field, above it, and lead there. */
function point(form: Form, fieldset: HTMLElement, wrong: string): void {
  fieldset.setAttribute("aria-invalid", "true");
  const said = one(".error", form);
  one("legend", fieldset).after(said);
  said.textContent = words[wrong] as string;
  one("input, select, button", fieldset).focus();
  fieldset.scrollIntoView();
}

/** Send what is stored, after what this page is sending; what fails stays stored, which is what is told. */
const send = (isForced: boolean): Promise<unknown> =>
  (sending = sending.then(() => flush(device, isForced)).catch(() => undefined));

/** Show what was done, and send what is left. */
async function finish(end: End): Promise<void> {
  const receipt = named("receipt");
  const tell = async (isForced: boolean): Promise<void> => {
    await send(isForced);
    const isKept = boxed(device, await device.store.read(), "pending").length;
    for (const part of all<HTMLElement>(receipt, "[data-when]")) part.hidden = part.dataset["when"] !== (isKept ? "kept" : end);
  };
  const day = new Date().toLocaleDateString(document.documentElement.lang, { dateStyle: "long" });
  const toOne = words["toOne"]?.replace("{}", `${Math.ceil(odds * 100 - 1e-6) / 100}`);
  // In the order in which the receipt names them.
  all<HTMLElement>(receipt, "dd").forEach((place, at) => (place.textContent = `${[reports, skipped, day, toOne][at]}`));
  one(".receipt", receipt).hidden = end !== "sent";
  await tell(navigator.onLine);
  show(receipt);
  addEventListener("online", () => attempt(() => tell(true)));
  const folds = one(".folds");
  // Without a network the buttons stay off, until the page is opened again.
  const offer = (): unknown => import("./rights.js").then((rights) => rights.offer(device, folds), () => {});
  folds.addEventListener("click", offer, { once: true });
}

// A page that the back button brings back has its forms as they were left, and its place, too.
attempt(begin);
