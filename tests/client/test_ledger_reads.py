"""What an answer reads of the ledger: the same little, however many answers there were."""

import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from tossup.client import Client, Outcome
from tossup.client.store import database, ledger

TOPICS = 12


@pytest.fixture
def many(stub, survey, publisher_key, store) -> Client:
    """A device that may answer twelve topics."""
    question = survey.questions[0]
    questions = tuple(replace(question, id=f"q{n}", topic=f"t{n}") for n in range(TOPICS))
    many = replace(survey, id="many", questions=questions, attributes=())
    stub.publish(many, publisher_key)
    cap = 3**TOPICS
    key = survey.publisher.key
    return Client(stub.link(many), key, store=store, publisher_cap=cap, device_cap=cap)


class Counted:
    """A connection that notes its statements."""

    def __init__(self, connection, statements: list[str]) -> None:
        self._connection, self._statements = connection, statements

    def execute(self, sql, parameters=()):
        self._statements.append(sql)
        return self._connection.execute(sql, parameters)

    def close(self) -> None:
        self._connection.close()


@pytest.fixture
def statements(monkeypatch) -> list[str]:
    noted: list[str] = []
    connect = database.connect
    monkeypatch.setattr(database, "connect", lambda path: Counted(connect(path), noted))
    return noted


WHOLE = "SELECT * FROM ledger ORDER BY place"


def test_an_answer_to_a_new_topic_takes_as_many_statements_as_the_first(many, statements):
    """None of them reads the whole ledger, and there are at most 32."""
    many.survey()
    taken = []
    for n in range(TOPICS):
        statements.clear()
        assert many.answer({f"q{n}": True}) is Outcome.QUEUED
        taken.append(list(statements))

    assert WHOLE not in [statement for each in taken[1:] for statement in each]
    assert {len(each) for each in taken[1:]} == {len(taken[1])}
    assert len(taken[1]) <= 32


def test_a_topic_that_is_known_is_looked_up_in_the_whole_ledger(many, statements):
    """So that damage to what it rests on is noticed."""
    many.answer({"q0": True})
    statements.clear()

    assert many.answer({"q0": True}) is Outcome.ALREADY_ANSWERED
    assert WHOLE in statements


SPOILED = {
    "gone": "DELETE FROM totals",
    "dropped": "DROP TABLE totals",
    "no topics": "UPDATE totals SET topics = zeroblob(length(topics))",
    "empty": "UPDATE totals SET topics = x'', sums = ''",
    "nothing spent": "UPDATE totals SET sums = '[2,\"00\",{}]'",
}


def test_totals_that_do_not_fit_are_made_anew_from_the_ledger(many, store, statements):
    """Whatever is wrong with them, nothing is tossed again, and the caps count everything."""
    many.answer({"q0": True})
    for number, (name, spoil) in enumerate(SPOILED.items(), start=1):
        with closing(sqlite3.connect(store)) as connection, connection:
            connection.execute(spoil)
        assert many.answer({"q0": True}) is Outcome.ALREADY_ANSWERED, name
        assert many.answer({f"q{number}": True}) is Outcome.QUEUED, name
        statements.clear()
        assert many.answer({f"q{number}": True}) is Outcome.ALREADY_ANSWERED, name
        assert many.status().device.odds == 3 ** (number + 1), name


def test_entries_of_an_sdk_that_knows_no_totals_are_noticed(many, store, survey):
    """An older SDK appends to ledger and head alone; what it answered stays answered."""
    many.answer({"q0": True})
    with closing(sqlite3.connect(store)) as connection:
        before = connection.execute("SELECT * FROM totals").fetchall()
    many.answer({"q1": True})
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("DELETE FROM totals")
        connection.executemany("INSERT INTO totals VALUES (?, ?, ?, ?)", before)

    assert many.answer({"q1": True}) is Outcome.ALREADY_ANSWERED
    assert many.answer({"q2": True}) is Outcome.QUEUED
    assert many.status().device.odds == 27


def test_the_filter_never_calls_a_known_topic_new(survey):
    """Nor, as it grows, more than a few of 2,000 new ones known."""
    entry = ledger.Entry("p", "", "s", "m", "q", odds=3)
    entries = [replace(entry, topic=f"t{n}") for n in range(1000)]
    totals = ledger.Totals(0, bytes(32), {}).with_topics(entries[:500]).plus(entries[500:], b"x")

    assert all(totals.may_know("p", e.topic) for e in entries)
    assert sum(totals.may_know("p", f"new-{n}") for n in range(2000)) <= 20
