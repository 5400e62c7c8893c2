"""What a browser keeps: a record for each answer, read by later versions, and small for ever."""

from dataclasses import replace

import pytest

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
