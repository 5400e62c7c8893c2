"""What a browser keeps: a record for each answer, read by later versions, and small for ever."""

import json
from dataclasses import replace
from threading import Event

import pytest
from browsing import PATIENCE

#: Notes the size of all that is written to the browser's database.
WEIGHING = """() => {
  window.written = 0;
  const plain = (_, value) => (typeof value === "bigint" ? `${value}` : value);
  for (const name of ["put", "add"]) {
    const real = IDBObjectStore.prototype[name];
    IDBObjectStore.prototype[name] = function (value, ...key) {
      window.written += JSON.stringify(value, plain).length;
      return real.call(this, value, ...key);
    };
  }
}"""
#: Puts all that is kept back into the form of version 1: one value, in a store of its own.
AS_BEFORE = """async () => {
  const done = (asked) => new Promise((told, failed) => {
    asked.onsuccess = () => told(asked.result);
    asked.onerror = failed;
  });
  let database = await done(indexedDB.open("tossup"));
  const rows = await done(database.transaction("rows").objectStore("rows").getAll());
  database.close();
  const state = { ledger: [], outbox: [], memory: [], surveys: {} };
  for (const { part, record } of rows) {
    const { publisher, survey, ...standing } = record;
    if (part === "surveys") state.surveys[`${publisher}/${survey}`] = standing;
    else state[part].push(record);
  }
  await done(indexedDB.deleteDatabase("tossup"));
  const opening = indexedDB.open("tossup", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("tossup").put(state, "state");
  database = await done(opening);
  database.close();
  return state.outbox.map((report) => report.body);
}"""
MANY = 48


@pytest.fixture
def many(survey, publish, request):
    """The link of a survey of many yes/no questions."""
    (one,) = survey.questions[:1]
    names = [f"q{place}" for place in range(MANY)]
    questions = tuple(replace(one, id=name, topic=name) for name in names)
    return publish(replace(survey, id=request.node.name[:60], questions=questions, attributes=()))


def test_an_answer_writes_as_little_after_many_others_as_at_first(site, many, new_tab):
    """Nor does sending or withdrawing one report write all others again."""
    cap = str(3**MANY)
    tab = new_tab().open(site.host, many, publisherCap=cap, deviceCap=cap)
    tab.call("survey")
    tab.page.evaluate(WEIGHING)
    weights = []
    for place in range(MANY):
        tab.page.evaluate("() => { window.written = 0 }")
        assert tab.call("answer", {f"q{place}": True}) == "queued"
        weights.append(tab.page.evaluate("written"))
    tab.page.evaluate("() => { window.written = 0 }")
    assert tab.call("flush", {"limit": 2})["sent"] == 2

    # An entry, and a report before and after its toss: neither the survey nor other answers.
    assert max(weights) < 1200, weights
    assert tab.page.evaluate("written") < 2 * 1200


def test_what_version_1_kept_is_sent_and_never_tossed_again(site, many, new_tab):
    """Its one value becomes records: the ledger, the same bytes to send, and the survey."""
    tab = new_tab().open(site.host, many)
    assert tab.call("answer", {"q0": True, "q1": False}) == "queued"
    assert tab.call("flush", {"limit": 1})["sent"] == 1
    status = tab.call("status")
    bodies = tab.page.evaluate(AS_BEFORE)

    tab.open(site.host, many)
    assert tab.call("status") == status
    assert tab.call("answer", {"q0": False, "q1": True}) == "already-answered"
    assert tab.call("flush")["sent"] == 1
    assert site.bodies()[-1].decode() in bodies
    assert tab.call("withdraw") == "stored"
    assert tab.call("flush")["withdrawn"] == 2


#: Counts the records that are read from the browser's database.
READING = """() => {
  window.read = 0;
  const real = IDBObjectStore.prototype.getAll;
  IDBObjectStore.prototype.getAll = function (...args) {
    const request = real.call(this, ...args);
    request.addEventListener("success", () => { window.read += request.result.length });
    return request;
  };
}"""
#: What a request reads at most: where the survey stands, the report that was sent, and the next.
A_REQUEST = 3


def answered(tab, site, link):
    """Answer all questions, and note from then on how much is read."""
    cap = str(3**MANY)
    tab.open(site.host, link, publisherCap=cap, deviceCap=cap)
    assert tab.call("answer", {f"q{place}": True for place in range(MANY)}) == "queued"
    tab.page.evaluate(READING)
    return tab


def rows_read(tab) -> int:
    return tab.page.evaluate("() => { const { read } = window; window.read = 0; return read }")


def test_a_request_of_a_flush_reads_no_report_but_those_it_is_about(site, many, new_tab):
    """All is read to begin, when nothing follows, and to count: not again for each request."""
    tab = answered(new_tab(), site, many)
    everything = 2 * MANY + 1

    assert tab.call("flush")["sent"] == MANY
    assert rows_read(tab) <= 3 * everything + MANY * A_REQUEST
    assert len(site.bodies()) == MANY
    assert site.bodies() == sorted(site.bodies(), key=lambda body: json.loads(body)["ids"])
    tab.call("withdraw")
    rows_read(tab)
    assert tab.call("flush")["withdrawn"] == MANY
    assert rows_read(tab) <= 3 * everything + MANY * A_REQUEST


def test_a_flush_sends_what_another_tab_changes_in_the_middle(site, many, new_tab):
    """What it adds is sent, what it takes back unsent is not, what left before is withdrawn."""
    first = answered(new_tab(), site, many)
    second = new_tab(first).open(site.host, many)
    waits, goes = Event(), Event()

    def wait_at_the_third(request, forward, respond):
        if len(site.bodies()) == 3 and request.path == "/v1/reports":
            waits.set()
            goes.wait(60)

    site.trouble = wait_at_the_third
    first.page.evaluate("() => { window.flushed = client.flush() }")
    assert patiently(first, waits.is_set)
    assert second.call("flush")["reason"] == "flushing"
    assert second.call("withdraw") == "stored"
    goes.set()
    done = first.page.evaluate("flushed")

    assert (done["sent"], done["withdrawn"], done["reason"]) == (3, 3, None)
    ids = [json.loads(body)["ids"] for body in site.bodies()]
    assert sorted(json.loads(body)["ids"] for body in site.bodies("/v1/withdrawals")) == sorted(ids)
    assert second.call("status")["sent"] == second.call("status")["pending"] == 0
    assert survey_rows(first) == 1


def test_a_flush_that_may_send_no_more_withdraws_what_was_sent(site, many, new_tab):
    """The limit counts reports: what is to be withdrawn goes out beside it."""
    tab = answered(new_tab(), site, many)
    assert tab.call("flush", {"limit": 5})["sent"] == 5
    assert tab.call("flush", {"limit": -1})["sent"] == 0
    tab.page.evaluate(
        """() => new Promise((resolve) => {
          const opening = indexedDB.open("tossup");
          opening.onsuccess = () => {
            const rows = opening.result.transaction("rows", "readwrite").objectStore("rows");
            rows.getAll().onsuccess = ({ target }) => {
              for (const row of target.result.filter(({ record }) => record.state === "sent"))
                rows.put({ ...row, record: { ...row.record, state: "withdrawing" } });
            };
            rows.transaction.oncomplete = () => resolve(opening.result.close());
          };
        })"""
    )
    done = tab.call("flush", {"limit": 7})

    assert (done["sent"], done["withdrawn"], done["pending"]) == (7, 5, MANY - 12)
    assert tab.call("flush")["sent"] == MANY - 12


def test_what_is_forgotten_in_the_middle_of_a_flush_is_not_kept_again(site, many, new_tab):
    """Another tab erases the survey: the flush ends, and writes down nothing twice."""
    first = answered(new_tab(), site, many)
    second = new_tab(first).open(site.host, many)
    waits, goes = Event(), Event()

    def wait_at_the_second(request, forward, respond):
        if len(site.bodies()) == 2:
            waits.set()
            goes.wait(60)

    site.trouble = wait_at_the_second
    first.page.evaluate("() => { window.flushed = client.flush() }")
    assert patiently(first, waits.is_set)
    assert second.call("forget") == "stored"
    site.trouble = None
    assert second.call("survey")
    goes.set()
    done = first.page.evaluate("flushed")

    assert (done["sent"], done["pending"], done["reason"]) == (2, 0, None)
    assert len(site.bodies()) == 2
    assert survey_rows(first) == 1


def patiently(tab, condition) -> bool:
    """Return whether it happens while the page goes on."""
    for _ in range(PATIENCE // 100):
        if condition():
            return True
        tab.page.wait_for_timeout(100)
    return False


def survey_rows(tab) -> int:
    """Return how many records say where the survey stands."""
    return tab.page.evaluate(
        """() => new Promise((resolve) => {
          const opening = indexedDB.open("tossup");
          opening.onsuccess = () => {
            opening.result.transaction("rows").objectStore("rows").getAll().onsuccess =
              ({ target }) => {
                opening.result.close();
                resolve(target.result.filter(({ part }) => part === "surveys").length);
              };
          };
        })"""
    )


#: Changes one of many records in a store of the page alone, and tells which of them are read.
OF_THE_PAGE = """async (many) => {
  const { pageStore } = await import("/sdk/store/page.js");
  const store = pageStore("none");
  let read = [];
  const record = (id) => ({ get id() { read.push(id); return id; }, state: "pending" });
  const kept = async () => (await store.read()).outbox.map(({ state }) => state).sort();
  await store.transact(({ outbox }) => {
    for (let id = 0; id < many; id++) outbox.push(record(id));
  });
  const { outbox } = await store.read();
  const undone = await store.transact((state) => {
    state.outbox[0].state = "sent";
    state.outbox.pop();
    throw new Error("undo");
  }, undefined, outbox.slice(0, 2)).catch(({ message }) => message);
  const before = await kept();
  read = [];
  const had = await store.transact((state) => {
    state.outbox[0].state = "sent";
    const had = state.outbox.length;
    state.outbox = state.outbox.slice(0, 1);
    state.memory.push({ value: "new" });
    return had;
  }, undefined, outbox.slice(1, 3));
  const alone = [...read];
  const gone = [outbox[1], outbox[4]];
  const stale = await store.transact((state) => state.outbox.length, undefined, gone);
  const { memory } = await store.read();
  return { undone, before, had, alone, after: await kept(), stale, memory };
}"""


def test_a_store_of_the_page_alone_copies_nothing_but_what_a_request_is_about(site, new_tab):
    """As the device's reads: all where one is gone; what throws changes nothing."""
    tab = new_tab()
    tab.page.goto(site.host)
    found = tab.page.evaluate(OF_THE_PAGE, MANY)

    assert ("undo", ["pending"] * MANY) == (found["undone"], found["before"])
    assert (2, [1, 2]) == (found["had"], found["alone"])
    assert found["after"] == ["pending"] * (MANY - 2) + ["sent"]
    assert (MANY - 1, [{"value": "new"}]) == (found["stale"], found["memory"])


def test_a_flush_of_the_page_alone_sends_and_withdraws_all(site, many, new_tab):
    """What is answered in the middle, too."""
    cap = str(3**MANY)
    tab = new_tab().open(site.host, many, persist="none", publisherCap=cap, deviceCap=cap)
    assert tab.call("answer", {f"q{place}": True for place in range(MANY - 1)}) == "queued"
    waits, goes = Event(), Event()

    def wait_at_the_third(request, forward, respond):
        if len(site.bodies()) == 3 and request.path == "/v1/reports":
            waits.set()
            goes.wait(60)

    site.trouble = wait_at_the_third
    tab.page.evaluate("() => { window.flushed = client.flush() }")
    assert patiently(tab, waits.is_set)
    assert tab.call("answer", {f"q{MANY - 1}": True}) == "queued"
    goes.set()
    done = tab.page.evaluate("flushed")
    ids = [json.loads(body)["ids"] for body in site.bodies()]
    assert (done["sent"], done["pending"], len(set(map(str, ids)))) == (MANY, 0, MANY)
    assert ids[:3] == sorted(ids[:3])
    assert tab.call("withdraw") == "stored"
    assert tab.call("flush")["withdrawn"] == MANY
