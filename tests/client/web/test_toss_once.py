"""A coin is tossed once, whatever happens to the page, the browser, the network or the store."""

import json
import re
import socket
import subprocess
import time
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from threading import Event

import pytest
from browser_sdk import Tab
from browsing import CHROMIUM, FLAGS, PATIENCE, SHELL
from engines import killed
from playwright.sync_api import TimeoutError as NoAnswer
from sweeps import proving

#: How long one call to a browser may take, in milliseconds, before another is tried.
ANSWERS_WITHIN = 30_000

#: Counts what is drawn for a toss; the ids of reports are 16 bytes, and no toss is.
COUNTING = """() => {
  window.tosses = 0;
  const real = crypto.getRandomValues.bind(crypto);
  crypto.getRandomValues = (bytes) => {
    if (bytes.byteLength < 4) window.tosses += 1;
    return real(bytes);
  };
}"""


@pytest.fixture
def asked(survey, publish, request):
    """The link of a survey of one yes/no question, new for every test."""
    name = re.sub("[^a-z0-9]", "-", request.node.name.lower())[:64].strip("-")
    return publish(replace(survey, id=name, questions=survey.questions[:1], attributes=()))


def answer(tab, value=True):
    return tab.call("answer", {"ever_tried": value})


def kept(tab) -> list[str]:
    """Return the bodies of reports that the browser keeps."""
    return tab.page.evaluate(
        """() => new Promise((resolve) => {
          const opening = indexedDB.open("tossup");
          opening.onsuccess = () => {
            const store = opening.result.transaction("rows").objectStore("rows");
            store.getAll().onsuccess = ({ target }) => {
              opening.result.close();
              resolve(target.result.flatMap(({ record }) => record.body ?? []));
            };
          };
        })"""
    )


def lose_answers(request, forward, respond):
    """Let the server count a report, and break the connection before it can say so."""
    if request.method != "POST":
        return
    for part in forward():
        assert part
    request.connection.shutdown(socket.SHUT_RDWR)
    raise ConnectionAbortedError


def be_busy(request, forward, respond):
    respond("503 Busy", [("Access-Control-Allow-Origin", "*"), ("Content-Type", "text/plain")])
    return [b"later"]


def test_reload_retry_and_offline_send_the_same_bytes(site, asked, new_tab):
    """Between the toss and the receipt the page reloads, and the network fails in three ways."""
    tab = new_tab().open(site.host, asked)
    assert answer(tab) == "queued"
    (body,) = kept(tab)
    tab.page.clock.set_fixed_time(datetime.now(UTC))  # no wait of a second is over by itself

    tab.open(site.host, asked)
    assert answer(tab, False) == "already-answered"
    tab.page.context.set_offline(True)
    assert tab.call("flush", {"force": True})["reason"] == "offline"
    tab.page.context.set_offline(False)
    site.trouble = be_busy
    assert tab.call("flush", {"force": True})["reason"] == "http-503"
    assert tab.call("flush")["reason"] == "waiting"
    site.trouble = lose_answers
    assert tab.call("flush", {"force": True})["reason"] == "offline"
    site.trouble = None
    tab.open(site.host, asked)
    assert tab.call("flush", {"force": True})["sent"] == 1

    bodies = [sent.decode() for sent in site.bodies()]
    assert len(bodies) >= 3
    assert set(bodies) == {body}
    name = asked.split("/")[-1].split("#")[0]
    counted = site.app.extensions["tossup"].store.tally(name)
    assert sum(sum(cell.counts) for cell in counted) == 1


def test_two_tabs_toss_once_between_them(site, asked, new_tab):
    """Both answer at the same moment, each many times: one report, one toss."""
    first = new_tab().open(site.host, asked)
    second = new_tab(first).open(site.host, asked)
    for tab in (first, second):
        tab.page.evaluate(COUNTING)
        tab.page.evaluate("() => { window.said = [] }")
    for value in range(10):
        for tab in (first, second):
            tab.page.evaluate(
                """(value) => { window.said.push(client.answer({ ever_tried: value })) }""",
                bool(value % 2),
            )
    said = [
        outcome for tab in (first, second) for outcome in tab.page.evaluate("Promise.all(said)")
    ]

    assert sorted(said) == ["already-answered"] * 19 + ["queued"]
    assert sum(tab.page.evaluate("tosses") for tab in (first, second)) == 1
    assert len(kept(first)) == 1
    assert first.call("flush")["sent"] + second.call("flush")["sent"] == 1


def test_back_button_and_a_page_that_was_put_aside(site, asked, new_tab):
    """A page that comes back as it was, or anew, has answered."""
    tab = new_tab().open(site.host + "/one", asked)
    assert answer(tab) == "queued"
    tab.page.goto(site.host + "/two")
    tab.page.go_back()
    if tab.page.evaluate("!window.client"):  # the browser did not keep it
        tab.client(asked)
    tab.page.evaluate(COUNTING)

    assert answer(tab, False) == "already-answered"
    assert tab.page.evaluate("tosses") == 0
    assert tab.call("flush")["sent"] == 1


@pytest.mark.parametrize(
    ("where", "program"),
    proving(
        [(where, program) for where in ("toss", "send") for program in ("shell", "browser")],
        but=[("toss", "shell"), ("send", "shell")],
    ),
)
def test_a_killed_browser_has_tossed_once(playwright, site, asked, tmp_path, where, program):
    """After the toss, and in the middle of sending, all of its processes are killed at once.

    Its shell where that is installed, which keeps what a page stores by the same engine.
    """
    path = SHELL if program == "shell" and SHELL.exists() else CHROMIUM
    gone = Event()
    with chromium(path, playwright, tmp_path) as tab:
        tab.open(site.host, asked)
        assert answer(tab) == "queued"
        (body,) = kept(tab)
        if where == "send":
            site.trouble = lambda *_: gone.wait() and None  # no answer while it lives
            tab.page.evaluate("() => { client.flush() }")
            wait_for(site.bodies)
    gone.set()
    site.trouble = None
    with chromium(path, playwright, tmp_path) as tab:
        tab.open(site.host, asked)
        assert answer(tab, False) == "already-answered"
        assert kept(tab) == [body]
        assert tab.call("flush", {"force": True})["sent"] == 1

    assert {sent.decode() for sent in site.bodies()} == {body}


@contextmanager
def chromium(program, playwright, profile):
    """A Chromium with a profile of its own, which is killed in the end, not closed."""
    command = [str(program), *FLAGS, "--headless=new", "--remote-debugging-port=0"]
    command += [f"--user-data-dir={profile}"]
    # A file and no pipe: what nobody reads would fill a pipe, and the browser would wait for it.
    with (profile / "said").open("w+") as said:
        process = subprocess.Popen(command, stderr=said, start_new_session=True)
        try:
            browser = connected(playwright, profile / "said")
            browser.contexts[0].set_default_timeout(PATIENCE)
            yield Tab(browser.contexts[0].new_page())
        finally:
            killed(process)


def connected(playwright, said):
    """Return the browser that says where it listens; one that has just begun may miss a call."""
    listens = re.compile(r"DevTools listening on (\S+)\n")
    wait_for(lambda: listens.search(said.read_text()))
    address = listens.search(said.read_text()).group(1)
    for _ in range(PATIENCE // ANSWERS_WITHIN):
        try:
            return playwright.chromium.connect_over_cdp(address, timeout=ANSWERS_WITHIN)
        except NoAnswer:
            continue
    raise AssertionError(f"no answer at {address}")


def wait_for(condition) -> None:
    for _ in range(PATIENCE // 100):
        if condition():
            return
        time.sleep(0.1)
    pytest.fail("it did not happen")


def test_a_full_store_spends_and_tosses_nothing(site, asked, new_tab):
    """The browser refuses to store: the outcome says so, and the next try is the first toss."""
    tab = new_tab().open(site.host, asked)
    assert tab.call("survey")
    tab.page.evaluate(COUNTING)
    tab.page.evaluate(
        """() => {
          window.put = IDBObjectStore.prototype.put;
          IDBObjectStore.prototype.put = () => { throw new DOMException("", "QuotaExceededError") };
        }"""
    )
    assert answer(tab) == "store-unavailable"
    assert tab.page.evaluate("tosses") == 0
    tab.page.evaluate("() => { IDBObjectStore.prototype.put = window.put }")

    assert answer(tab) == "queued"
    assert tab.page.evaluate("tosses") == 1
    assert len(kept(tab)) == 1


def test_a_toss_that_fails_leaves_nothing_behind(asked, new_tab, site):
    """No report that the coins have not filled is kept, let alone sent."""
    tab = new_tab().open(site.host, asked)
    assert tab.call("survey")
    tab.page.evaluate(
        """() => {
          window.real = crypto.getRandomValues.bind(crypto);
          crypto.getRandomValues = (bytes) => {
            if (bytes.byteLength < 4) throw new RangeError("secret");
            return real(bytes);
          };
        }"""
    )
    assert answer(tab) == "failed"
    assert tab.call("status")["pending"] == 0
    assert tab.call("flush")["sent"] == 0
    assert answer(tab) == "failed"
    assert "secret" not in repr(tab.said)
    tab.page.evaluate("() => { crypto.getRandomValues = window.real }")

    assert answer(tab) == "queued"
    assert len(kept(tab)) == 1


def test_a_real_quota_is_an_outcome(site, asked, new_tab):
    """The browser's own limit, set to nothing."""
    tab = new_tab().open(site.host, asked)
    session = tab.page.context.new_cdp_session(tab.page)
    session.send("Storage.overrideQuotaForOrigin", {"origin": site.host, "quotaSize": 1})

    assert answer(tab) == "store-unavailable"
    session.send("Storage.overrideQuotaForOrigin", {"origin": site.host})
    assert answer(tab) == "queued"


def test_without_a_store_nothing_is_tossed(site, asked, new_tab):
    """Where the browser has no database or refuses it, an app must say `persist: "none"` itself."""
    tab = new_tab().open(site.host, asked)
    tab.page.evaluate(COUNTING)
    tab.page.evaluate(
        """() => Object.defineProperty(window, "indexedDB", {
          get() { throw new DOMException("", "SecurityError") },
        })"""
    )
    assert answer(tab) == "store-unavailable"
    assert tab.call("status")["trouble"] == "store-unavailable"
    assert tab.page.evaluate("tosses") == 0

    tab.client(asked, persist="none")
    assert answer(tab) == "queued"
    assert tab.call("flush")["sent"] == 1


def test_a_store_that_forgot_is_noticed(site, asked, new_tab):
    """The ledger alone is gone: nothing is tossed any more on this device."""
    tab = new_tab().open(site.host, asked)
    assert answer(tab) == "queued"
    session = tab.page.context.new_cdp_session(tab.page)
    session.send("Storage.clearDataForOrigin", {"origin": site.host, "storageTypes": "indexeddb"})

    assert answer(tab, False) == "ledger-damaged"
    assert tab.call("status")["trouble"] == "ledger-damaged"
    assert tab.call("flush")["reason"] == "ledger-damaged"


def test_a_private_window_says_what_it_cannot_promise(site, asked, new_tab):
    """Without the browser's promise, `remembers` is false; with it, true."""
    tab = new_tab().open(site.host, asked)
    assert tab.call("status")["remembers"] is False
    tab.page.evaluate("() => { navigator.storage.persisted = async () => true }")
    assert tab.call("status")["remembers"] is True
    tab.client(asked, persist="none")
    assert tab.call("status")["remembers"] is False


def test_keeping_is_asked_for_after_the_first_answer(site, asked, new_tab):
    """Not before: a browser may ask the respondent, who should know why."""
    tab = new_tab().open(site.host, asked)
    tab.page.evaluate(
        """() => {
          window.asked = 0;
          navigator.storage.persist = async () => { window.asked += 1; return false };
        }"""
    )
    tab.call("survey")
    assert tab.page.evaluate("asked") == 0
    answer(tab)
    assert tab.page.evaluate("asked") == 1


def test_persons_at_one_kiosk_share_nothing(site, asked, new_tab):
    """With `persist: "none"` everyone answers, nothing is stored, and nobody sends another's."""
    tab = new_tab()
    tab.page.goto(site.host)
    for value in (True, False, True):
        tab.client(asked, persist="none")
        assert answer(tab, value) == "queued"
        assert answer(tab, value) == "already-answered"
        assert tab.call("flush")["sent"] == 1

    assert len({json.loads(body)["ids"] for body in site.bodies()}) == 3
    assert tab.page.evaluate("indexedDB.databases()") == []
    assert tab.page.evaluate("localStorage.length") == 0
