"""The engines that Debian packages: each answers, is killed, and sends what it had tossed.

They are started like a person starts them, with an address; the page itself tells what it saw.
"""

import json
from dataclasses import replace

import pytest
from engines import ENGINES, told_by

pytestmark = pytest.mark.prove

#: Answers in two documents at once and in every trouble that a page can make, and tells what came
#: of it and what is kept; sends it where it is told to.
PROGRAM = """
import { Client } from "/sdk/index.js";
const client = new Client(LINK);
const told = {};
const answer = (question) => client.answer({ [question]: true });
const during = async (object, name, value, work) => {
  const real = Object.getOwnPropertyDescriptor(object, name);
  Object.defineProperty(object, name, { configurable: true, ...value });
  const made = await work();
  if (real) Object.defineProperty(object, name, real);
  else delete object[name];
  return made;
};
const failing = (name) => ({ value() { throw new DOMException("", name); } });
if (top !== window) parent.postMessage(await answer("first"), "*");
else {
  const survey = await client.survey();
  const frame = Object.assign(document.createElement("iframe"), { src: "/frame" });
  const beside = new Promise((done) => addEventListener("message", ({ data }) => done(data)));
  document.body.append(frame);
  told.digest = survey?.digest;
  told.said = [...(await Promise.all([answer("first"), answer("first")])), await beside];
  const put = [IDBObjectStore.prototype, "put", failing("QuotaExceededError")];
  told.full = [await during(...put, () => answer("second")), await answer("second")];
  const off = [window, "indexedDB", { get() { throw new DOMException("", "SecurityError"); } }];
  told.off = await during(...off, () => answer("third"));
  const coins = [crypto, "getRandomValues", { value() { throw new RangeError(); } }];
  told.coins = [await during(...coins, () => answer("third")), await answer("third")];
  const lost = [window, "fetch", { value: async () => { throw new TypeError(); } }];
  told.lost = (await during(...lost, () => client.flush({ force: true }))).reason;
  told.sent = SENDING ? (await client.flush({ force: true })).sent : null;
  Object.assign(told, await client.status());
  if (SENDING) {
    await new Promise((done) => { indexedDB.deleteDatabase("tossup").onsuccess = done; });
    told.forgotten = await answer("first");
  }
  const plain = (_, value) => (typeof value === "bigint" ? `${value}` : value);
  await fetch("/told", { method: "POST", body: JSON.stringify(told, plain) });
}
"""
#: Answers, leaves for another page, comes back by history, and answers again.
LEAVING = """
import { Client } from "/sdk/index.js";
const client = new Client(LINK);
const answer = () => client.answer({ first: true });
// What one leaves before it is loaded is no page to come back to.
const loaded = async () => {
  const [page] = performance.getEntriesByType("navigation");
  while (!page.loadEventEnd) await new Promise((go) => setTimeout(go, 10));
};
const tell = (told) => fetch("/told", { method: "POST", body: JSON.stringify(told) });
if (location.pathname === "/away") loaded().then(() => history.back());
else if (sessionStorage.getItem("was")) tell([false, await answer()]);
else {
  sessionStorage.setItem("was", await answer());
  addEventListener("pageshow", async ({ persisted }) => persisted && tell([true, await answer()]));
  loaded().then(() => location.assign("/away"));
}
"""
QUESTIONS = ("first", "second", "third")


@pytest.mark.parametrize("engine", ENGINES)
def test_an_engine_tosses_once_and_sends_after_it_was_killed(
    site, publish, survey, tmp_path, engine
):
    """Verified, tossed, killed with all its processes, started anew, sent once.

    In between two documents answer at once, the store is full or off, the coins fail, the network
    is lost, and in the end the ledger: nothing of it makes a second toss.
    """
    asked = tuple(replace(survey.questions[0], id=name, topic=name) for name in QUESTIONS)
    three = replace(survey, id=engine, questions=asked, attributes=())
    link = publish(three)

    first = told(site, engine, tmp_path, link, sending=False)
    second = told(site, engine, tmp_path, link, sending=True)

    assert (first["digest"], first["trouble"]) == (three.digest, None), first
    assert sorted(first["said"]) == ["already-answered", "already-answered", "queued"], first
    assert first["full"] == ["store-unavailable", "queued"], first
    assert (first["off"], first["coins"]) == ("store-unavailable", ["failed", "queued"]), first
    assert (first["lost"], first["pending"]) == ("offline", 3), first
    assert second["said"] == ["already-answered"] * 3, second
    assert (second["full"][1], second["coins"][1]) == ("already-answered",) * 2, second
    assert (second["sent"], second["pending"]) == (3, 0), second
    assert second["answeredTopics"] == sorted(QUESTIONS)
    assert second["forgotten"] == "ledger-damaged"
    assert len(site.bodies()) == 3


@pytest.mark.parametrize("engine", ENGINES)
def test_a_page_that_an_engine_had_put_aside_has_answered(site, publish, survey, tmp_path, engine):
    """It comes back as it was, with its script in the middle of its life, and tosses no more."""
    asked = replace(survey.questions[0], id="first", topic="first")
    link = publish(replace(survey, id=f"aside-{engine}", questions=(asked,), attributes=()))
    script = f'<script>LINK = {json.dumps(link)}</script><script type="module">{LEAVING}</script>'
    site.content = script.encode()

    assert told_by(engine, tmp_path, site.host + "/here", site.told) == [True, "already-answered"]


def told(site, engine, profile, link, *, sending):
    """Return what the program tells in an engine with this profile."""
    settings = f"LINK = {json.dumps(link)}; SENDING = {json.dumps(sending)}"
    script = f'<script>{settings}</script><script type="module">{PROGRAM}</script>'
    site.content = script.encode()
    return told_by(engine, profile, site.host, site.told)
