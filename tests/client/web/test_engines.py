"""The engines that Debian packages: each answers, is killed, and sends what it had tossed.

They are started like a person starts them, with an address; the page itself tells what it saw.
"""

import json
import os
import shutil
import signal
import subprocess
import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from browsing import CHROMIUM, FLAGS, PATIENCE

pytestmark = pytest.mark.prove

#: WebKit's own small browser, which Debian's package puts aside.
MINI = Path("/usr/lib").glob("*/webkit2gtk-4.1/MiniBrowser")
ENGINES = {
    "chromium": [str(CHROMIUM), *FLAGS, "--headless=new", "--user-data-dir={profile}"],
    "firefox-esr": ["firefox-esr", "--headless", "--no-remote", "--profile", "{profile}"],
    "webkit2gtk-driver": ["xvfb-run", "-a", str(next(MINI, "MiniBrowser"))],
}

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
QUESTIONS = ("first", "second", "third")


@pytest.mark.parametrize("engine", ENGINES)
def test_an_engine_tosses_once_and_sends_after_it_was_killed(
    site, publish, survey, tmp_path, engine
):
    """Verified, tossed, killed with all its processes, started anew, sent once.

    In between two documents answer at once, the store is full or off, the coins fail, the network
    is lost, and in the end the ledger: nothing of it makes a second toss.
    """
    programs = [part for part in ENGINES[engine] if part[0] not in "-{"]
    if not all(map(shutil.which, programs)):
        pytest.skip(f"needs {' and '.join(programs)}: apt-get install {engine} xvfb")
    asked = tuple(replace(survey.questions[0], id=name, topic=name) for name in QUESTIONS)
    three = replace(survey, id=engine, questions=asked, attributes=())
    link = publish(three)

    first = told_by(site, engine, tmp_path, link, sending=False)
    second = told_by(site, engine, tmp_path, link, sending=True)

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


def told_by(site, engine, profile, link, *, sending):
    """Return what a page told in an engine with this profile, which is killed then."""
    settings = f"LINK = {json.dumps(link)}; SENDING = {json.dumps(sending)}"
    script = f'<script>{settings}</script><script type="module">{PROGRAM}</script>'
    site.content, before = script.encode(), len(site.told)
    with running(profile, [part.format(profile=profile) for part in ENGINES[engine]], site.host):
        for _ in range(PATIENCE // 100):
            if len(site.told) > before:
                return site.told[-1]
            time.sleep(0.1)
    pytest.fail(f"{engine} told nothing")


@contextmanager
def running(profile, command, address):
    process = subprocess.Popen(
        [*command, address],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        # WebKit keeps what it stores below the home folder, and wants no root in its sandbox.
        env={**os.environ, "HOME": str(profile), "XDG_DATA_HOME": str(profile)}
        | {"WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"},
    )
    try:
        yield
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
