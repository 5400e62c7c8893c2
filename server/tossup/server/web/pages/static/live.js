// Follows new reports while the page is looked at: it asks whether the results are others, is told
// "not modified" in no bytes if they are not, and puts the new ones in the place of the old.
const note = document.querySelector("[data-live]");
const results = document.getElementById("results");
const soon = 15_000, late = 120_000;
let { tag } = note.dataset, wait = soon;

const marks = (what) => [...results.querySelectorAll(what)];
const isTyping = () => results.contains(document.activeElement) && document.activeElement.form;

function put(html) {
  const open = marks("details").map((fold) => fold.open);
  const at = marks("a, summary, button").indexOf(document.activeElement);
  results.innerHTML = html;
  marks("details").forEach((fold, place) => (fold.open = open[place] ?? fold.open));
  if (at >= 0) marks("a, summary, button")[at]?.focus({ preventScroll: true });
  const time = new Date().toLocaleTimeString(document.documentElement.lang, { timeStyle: "short" });
  note.textContent = `${note.dataset.said} ${time}`;
}

async function look() {
  if (document.visibilityState === "visible" && !isTyping() && `${getSelection()}` === "") {
    const answer = await fetch(note.dataset.live, {
      cache: "no-store",
      headers: { "If-None-Match": tag },
    }).catch(() => ({ status: 503 }));
    if (answer.status === 200) {
      tag = answer.headers.get("ETag");
      put(await answer.text());
      wait = soon;
    } else if ([304, 503].includes(answer.status)) wait = Math.min(2 * wait, late);
    else return; // signed out, not public any more, deleted: what is here stays
  }
  setTimeout(look, wait);
}

note.textContent = note.dataset.follows;
setTimeout(look, wait);
