// Signs a survey with a key of this browser. The key's copy is a file of its owner; what stays here
// signs, and no page can read it out. Only the signature is sent, as one made elsewhere.
const box = document.querySelector("[data-signing]");
const { form } = box.querySelector("input");
const words = box.dataset;
const status = box.querySelector("[role=status]");

const b64url = (bytes) =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
    .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function drawer(mode) {
  const opening = indexedDB.open("tossup-publisher", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("keys");
  return (await done(opening)).transaction("keys", mode, { durability: "strict" }).objectStore("keys");
}

// The name of a public key, as a manifest's signature says it.
async function nameOf(x) {
  const bytes = bytesOf(x.replaceAll("-", "+").replaceAll("_", "/"));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest.slice(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function show() {
  const kept = await done((await drawer("readonly")).get("publisher"));
  box.querySelector("[data-make]").hidden = Boolean(kept);
  box.querySelector("[data-forget]").hidden = !kept;
  status.textContent = kept ? words.kept.replace("%s", await nameOf(kept.x)) : words.none;
  return kept;
}

// Keeps a private key, given as PKCS #8, so that it signs and is not read out again.
async function keep(pkcs8) {
  const readable = await crypto.subtle.importKey("pkcs8", pkcs8, "Ed25519", true, ["sign"]);
  const { x } = await crypto.subtle.exportKey("jwk", readable);
  const key = await crypto.subtle.importKey("pkcs8", pkcs8, "Ed25519", false, ["sign"]);
  await done((await drawer("readwrite")).put({ x, key }, "publisher"));
  await show();
}

async function make() {
  const pair = await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"]);
  const pkcs8 = await crypto.subtle.exportKey("pkcs8", pair.privateKey);
  const lines = btoa(String.fromCharCode(...new Uint8Array(pkcs8)));
  const pem = `-----BEGIN PRIVATE KEY-----\n${lines}\n-----END PRIVATE KEY-----\n`;
  const file = document.createElement("a");
  file.href = URL.createObjectURL(new Blob([pem]));
  file.download = "publisher.pem";
  file.click();
  setTimeout(() => URL.revokeObjectURL(file.href), 60_000);
  await keep(pkcs8);
}

async function take(event) {
  const text = await event.target.files[0].text();
  const inner = /-----BEGIN PRIVATE KEY-----([\s\S]*)-----END PRIVATE KEY-----/.exec(text);
  try {
    await keep(bytesOf(inner[1].replace(/\s/g, "")));
  } catch {
    status.textContent = words.wrong;
  }
}

async function forget() {
  await done((await drawer("readwrite")).delete("publisher"));
  await show();
}

// Type and payload, each after its length: the bytes that a signature covers.
function toSign(payload) {
  const parts = [new TextEncoder().encode(words.type), payload];
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + 8 + part.length, 0));
  let at = 0;
  for (const part of parts) {
    new DataView(bytes.buffer).setBigUint64(at, BigInt(part.length), true);
    bytes.set(part, at + 8);
    at += 8 + part.length;
  }
  return bytes;
}

async function sign(event) {
  if (form.elements.by.value !== "browser") return;
  event.preventDefault();
  const kept = await show();
  if (!kept) return;
  const answer = await fetch(`${words.payload}?key=${kept.x}`);
  if (!answer.ok) {
    status.textContent = words.failed;
    return;
  }
  const payload = new Uint8Array(await answer.arrayBuffer());
  const sig = new Uint8Array(await crypto.subtle.sign("Ed25519", kept.key, toSign(payload)));
  const sigs = [{ kid: await nameOf(kept.x), sig: b64url(sig) }];
  form.elements.envelope.value = JSON.stringify({ payload: b64url(payload), type: words.type, sigs });
  form.elements.by.value = "elsewhere";
  form.submit();
}

// Only where the browser can: it needs https, and one of the last years.
if (crypto.subtle) {
  const can = crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"]);
  can.then(async () => {
    await show();
    box.hidden = false;
    box.querySelector("[data-make]").addEventListener("click", make);
    box.querySelector("[data-forget]").addEventListener("click", forget);
    box.querySelector("[type=file]").addEventListener("change", take);
    form.addEventListener("submit", sign);
  }, () => {});
}
