import{ask as ask,boxed as boxed,flush as flush,parseLink as parseLink,verify as verify}from"../page/page.js";

// src/page/refused.ts
async function screenOf(outcome, device, words) {
  const { link = "", key } = words;
  if (outcome === "closed" && device) void sendKept(device);
  if (outcome === "preview-again") return renew(key);
  if (outcome === "misconfigured") return unserved(new URL(link, location.href).href + location.hash, key);
  if (outcome === "refused-manifest" && device && await isSigned(device)) return key ? "preview-again" : "unsupported";
  return outcome;
}
function renew(key) {
  const [entry] = performance.getEntriesByType("navigation");
  if (entry?.type === "reload" || key) return "preview-again";
  location.reload();
  return "";
}
function unserved(link, key) {
  if (!isSecureContext) return "not-encrypted";
  try {
    parseLink(link, key);
    return "unsupported";
  } catch {
    return "misconfigured";
  }
}
async function isSigned(device) {
  const { body } = await ask(device, `/v1/surveys/${device.link.survey}`);
  return verify(body, device.link.key).then(() => true, () => false);
}
async function sendKept(device) {
  const told = document.querySelector("#late");
  const kept = boxed(device, await device.store.read(), "pending");
  if (!told || !kept.length) return;
  await flush(device, true);
  const now = (await device.store.read()).outbox.filter(({ id }) => kept.some((report) => report.id === id));
  const [left, late] = ["pending", "quarantined"].map((state) => now.some((report) => report.state === state));
  told.textContent = told.dataset[left ? "kept" : late ? "late" : "sent"] ?? "";
}
export {
  screenOf
};
