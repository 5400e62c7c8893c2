/**
 * Where nothing is asked: which screen says why, and what becomes of reports that are still kept.
 * Loaded when that is so.
 */

import { type Device } from "../device.js";
import { parseLink } from "../link.js";
import { ask, boxed, flush } from "../upload.js";
import { verify } from "../wire.js";

/**
 * Return the name of the screen for an outcome; "" if the page is loaded again instead.
 *
 * @param device Undefined if there is none, since the link or the browser does not serve.
 * @param words What the page's element says of the link.
 */
export async function screenOf(outcome: string, device: Device | undefined, words: DOMStringMap): Promise<string> {
  const { link = "", key } = words;
  if (outcome === "closed" && device) void sendKept(device);
  if (outcome === "preview-again") return renew(key);
  if (outcome === "misconfigured") return unserved(new URL(link, location.href).href + location.hash, key);
  // Signed by the right key, and not understood: the survey is newer than this page.
  if (outcome === "refused-manifest" && device && (await isSigned(device))) return key ? "preview-again" : "unsupported";
  return outcome;
}

/** Load the page again if it shows another version than the signed one; once, and then say so. */
function renew(key: string | undefined): string {
  const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (entry?.type === "reload" || key) return "preview-again";
  location.reload();
  return "";
}

/** Return why there is no device: the way here is not encrypted, a part of the link is missing, or the browser is too old. */
function unserved(link: string, key: string | undefined): string {
  if (!isSecureContext) return "not-encrypted";
  try {
    parseLink(link, key);
    return "unsupported";
  } catch {
    return "misconfigured";
  }
}

async function isSigned(device: Device): Promise<boolean> {
  const { body } = await ask(device, `/v1/surveys/${device.link.survey}`);
  return verify(body, device.link.key).then(() => true, () => false);
}

/** A survey that asks nobody any more may still count reports that come late: send those that are kept, and say so. */
async function sendKept(device: Device): Promise<void> {
  const told = document.querySelector<HTMLElement>("#late");
  const kept = boxed(device, await device.store.read(), "pending");
  if (!told || !kept.length) return;
  await flush(device, true);
  const now = (await device.store.read()).outbox.filter(({ id }) => kept.some((report) => report.id === id));
  const [left, late] = ["pending", "quarantined"].map((state) => now.some((report) => report.state === state));
  told.textContent = told.dataset[left ? "kept" : late ? "late" : "sent"] ?? "";
}
