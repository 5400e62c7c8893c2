// Keeps an exported folder in the browser, as it was when it was opened first with a network. It
// answers for the folder's own files alone: manifests and reports never pass through it.
addEventListener("install", (event) => event.waitUntil(keep()));

addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method !== "GET" || !url.startsWith(new URL("./", location.href).href)) return;
  const wanted = caches.match(event.request, { ignoreSearch: true });
  event.respondWith(wanted.then((kept) => kept ?? fetch(event.request)));
});

async function keep() {
  const { version, files } = await (await fetch("files.json", { cache: "no-store" })).json();
  const ours = `tossup ${location.href} `; // other folders of the origin have caches of their own
  await (await caches.open(ours + version)).addAll(["./", ...files]);
  const old = (name) => name.startsWith(ours) && name !== ours + version;
  for (const name of await caches.keys()) if (old(name)) await caches.delete(name);
}
