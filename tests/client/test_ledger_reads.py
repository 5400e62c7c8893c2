"""What an answer reads of the ledger: the same little, however many answers there were."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis.strategies import builds, integers, just, lists, sampled_from
from recounting import assert_in_step, assert_right

from tossup.client import Client, Outcome
from tossup.client.store import database, ledger, outbox, totals
from tossup.client.store.totals import Counts, Entry
from tossup.shared.survey import Attribute, Option
from tossup.shared.waves import Waves

TOPICS = 12
WAVES = 6


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


def test_every_answer_takes_as_many_statements_as_the_first(many, statements):
    """To a new topic, to one that is known, and a look at where the device stands."""
    many.survey()
    for call in (
        lambda n: many.answer({f"q{n}": True}) is Outcome.QUEUED,
        lambda n: many.answer({f"q{n}": True}) is Outcome.ALREADY_ANSWERED,
        lambda _: many.status().device.odds == 3**TOPICS,
        lambda _: many.flush().pending == 0,
    ):
        taken = []
        for n in range(TOPICS):
            statements.clear()
            assert call(n)
            taken.append(list(statements))

        assert WHOLE not in [statement for each in taken[1:] for statement in each]
        numbers = [len(each) for each in taken[1:]]
        assert max(numbers) - min(numbers) <= 1  # the latest entries are read at once
        assert max(numbers) <= 30


@pytest.mark.parametrize("times", [None, WAVES])
def test_a_wave_takes_as_many_statements_as_the_second(
    stub, survey, publisher_key, store, statements, times
):
    """And reads as few rows, whether what is kept is reported again or coins are tossed afresh."""
    options = tuple(Option(str(n), {"en": str(n)}) for n in range(1, WAVES + 1))
    waved = replace(
        survey,
        id="waved",
        questions=survey.questions[:1],
        attributes=(Attribute("wave", {"en": "Wave"}, options),),
        waves=Waves(WAVES, date(2027, 1, 4), 7, times=times),
    )
    stub.publish(waved, publisher_key)
    cap = 3**WAVES
    client = Client(
        stub.link(waved), waved.publisher.key, store=store, question_cap=cap, publisher_cap=cap
    )
    client.survey()
    taken = []
    for wave in range(1, WAVES + 1):
        for call in (lambda w: client.answer({"ever_tried": True}, w), lambda _: client.status()):
            statements.clear()
            call(wave)
            taken.append((len(statements), WHOLE in statements))

    assert taken[2:] == taken[2:4] * (WAVES - 1)
    assert not any(whole for _, whole in taken[1:])


SPOILED = {
    "gone": "DELETE FROM totals",
    "dropped": "DROP TABLE totals",
    "counts gone": "UPDATE totals SET topics = zeroblob(length(topics))",
    "empty": "UPDATE totals SET topics = x'', sums = ''",
    "nothing spent": "UPDATE totals SET sums = '[2,\"00\",{}]'",
    "topics gone": "DELETE FROM topics",
    "odds of a topic": "UPDATE topics SET odds = '1'",
    "waves of a topic": "UPDATE topics SET waves = '0'",
    "a topic moved": "UPDATE topics SET topic = 'x'",
    "a link": "UPDATE topics SET link = 7",
}


def test_what_does_not_fit_is_made_anew_from_the_ledger(many, store, statements):
    """Whatever is wrong beside it, nothing is tossed again, and the caps count everything."""
    many.answer({"q0": True})
    for number, (name, spoil) in enumerate(SPOILED.items(), start=1):
        with closing(sqlite3.connect(store)) as connection, connection:
            connection.execute(spoil)
        assert many.answer({"q0": True}) is Outcome.ALREADY_ANSWERED, name
        assert set(many.status().answered_topics) == {f"t{n}" for n in range(number)}, name
        assert many.answer({f"q{number}": True}) is Outcome.QUEUED, name
        assert many.answer({"q0": True}) is Outcome.ALREADY_ANSWERED, name
        assert many.status().device.odds == 3 ** (number + 1), name


def test_a_topic_whose_latest_row_was_lost_is_not_asked_again(many, store):
    """A page of an earlier day in the place of a later one: the counts tell, and all is read."""
    many.answer({"q0": True})
    with closing(sqlite3.connect(store)) as connection:
        before = connection.execute("SELECT * FROM topics").fetchall()
    many.answer({"q1": True})
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("DELETE FROM topics")
        connection.executemany(f"INSERT INTO topics VALUES ({', '.join('?' * 10)})", before)

    assert many.answer({"q1": True}) is Outcome.ALREADY_ANSWERED
    assert many.status().answered_topics == ("t0", "t1")


def test_entries_of_an_sdk_that_knows_no_totals_are_noticed(many, store, statements):
    """An older SDK appends to ledger and head alone; what it answered stays answered."""
    many.answer({"q0": True})
    with closing(sqlite3.connect(store)) as connection:
        totals, topics = (
            connection.execute(f"SELECT * FROM {name}").fetchall() for name in ("totals", "topics")
        )
    many.answer({"q1": True})
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("DELETE FROM totals")
        connection.execute("DELETE FROM topics")
        connection.executemany("INSERT INTO totals VALUES (?, ?, ?, ?)", totals)
        connection.executemany(f"INSERT INTO topics VALUES ({', '.join('?' * 10)})", topics)

    assert many.answer({"q1": True}) is Outcome.ALREADY_ANSWERED
    assert many.answer({"q2": True}) is Outcome.QUEUED
    assert many.status().device.odds == 27


def test_damage_of_what_an_answer_rests_on_is_noticed_however_old_it_is(many, store):
    """The last entry about a topic is verified, and the entries around it are not read."""
    for n in range(10):
        many.answer({f"q{n}": True})
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("UPDATE ledger SET odds = '2' WHERE place = 3")

    assert many.answer({"q2": True}) is Outcome.LEDGER_DAMAGED
    assert many.answer({"q7": True}) is Outcome.ALREADY_ANSWERED


def test_no_damage_of_any_entry_brings_a_second_toss_or_a_cap_back(many, store):
    """Old and new entries, every column: what was answered and spent stays so, or nothing goes."""
    columns = ("publisher", "topic", "survey", "manifest", "question", "odds", "delta", "wave")
    for n in range(6):
        many.answer({f"q{n}": True})
    whole = store.read_bytes()
    spoils = [f"UPDATE ledger SET {name} = 'x' WHERE place = {{}}" for name in columns]
    for place in (1, 3, 6):
        for spoil in (*spoils, "UPDATE ledger SET link = x'00' WHERE place = {}",
                      "DELETE FROM ledger WHERE place = {}"):  # fmt: skip
            store.write_bytes(whole)
            with closing(sqlite3.connect(store)) as connection, connection:
                connection.execute(spoil.format(place))
            for n in range(6):
                assert many.answer({f"q{n}": True}) is not Outcome.QUEUED, (spoil, place, n)
            status = many.status()
            assert status.device.odds == 3**6 or status.trouble is Outcome.LEDGER_DAMAGED, spoil
            assert place < 3 or status.trouble is Outcome.LEDGER_DAMAGED, (spoil, place)


ENTRY = Entry("p", "t", "s", "m", "q", odds=Fraction(3, 2), delta=Fraction(1, 9))


@given(
    answers=lists(
        lists(
            builds(
                replace,
                just(ENTRY),
                publisher=sampled_from("pq"),
                topic=sampled_from("abcdef"),
                survey=sampled_from(["s", "r"]),
                wave=integers(0, 3),
            ),
            min_size=1,
            max_size=4,
        ),
        max_size=8,
    ),
    spoiled=sampled_from(["", *SPOILED.values()]),
)
@settings(max_examples=25)
def test_running_totals_are_those_of_a_recount(tmp_path_factory, answers, spoiled):
    """After any answers, of any surveys, and with what is beside the ledger spoiled in between."""
    store = database.Database(str(tmp_path_factory.mktemp("model") / "store.db"))
    holds = assert_in_step
    for number, entries in enumerate(answers):
        if number == len(answers) // 2 and spoiled:
            store.run(lambda connection: connection.execute(spoiled))
            holds = assert_right

        def append(connection, entries=entries):
            by_publisher = {entry.publisher for entry in entries}
            for publisher in sorted(by_publisher):
                new = [entry for entry in entries if entry.publisher == publisher]
                book = ledger.about(connection, publisher, {entry.topic for entry in new})
                ledger.append(connection, book, new)

        store.run(append)
        store.run(holds)


def test_many_topics_get_more_buckets(tmp_path):
    """So that a topic is looked up among few others; and what is known stays known."""
    store = database.Database(str(tmp_path / "store.db"))
    entries = [replace(ENTRY, topic=f"t{n}") for n in range(3000)]
    sizes = set()
    for start in range(0, len(entries), 100):

        def append(connection, start=start):
            new = entries[start : start + 100]
            book = ledger.about(connection, "p", [entry.topic for entry in new])
            ledger.append(connection, book, new)
            sizes.add(len(totals.read(connection).counts.data))

        store.run(append)
    store.run(assert_right)

    assert max(sizes) > min(sizes)


def test_a_count_never_comes_back_to_none():
    """Whatever is counted, 0 stands for a bucket without a topic."""
    counts = Counts.for_topics(0)
    many = counts.plus([5] * 65_535)

    assert counts.fits(5, 0)
    assert not many.fits(5, 0)
    assert many.plus([5]).fits(5, 65_536)
    assert not many.plus([5]).fits(5, 0)


def test_reports_of_other_surveys_that_wait_are_not_read(many, stub, survey, publisher_key, store):
    """Unless they are of no survey that was answered here: those are damaged, and set aside."""
    many.answer({f"q{n}": True for n in range(TOPICS)})
    key, cap = survey.publisher.key, 3 ** (TOPICS + 1)
    other = Client(stub.link(survey), key, store=store, publisher_cap=cap, device_cap=cap)
    other.answer({"ever_tried": True, "region": "north"})
    with pytest.MonkeyPatch.context() as patched:
        read = []
        parse = outbox._report
        patched.setattr(outbox, "_report", lambda row: (read.append(row), parse(row))[1])
        assert (other.status().pending, other.status().outbox_repairs) == (1, 0)
        assert len(read) == 2
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("UPDATE outbox_0 SET survey = 'mani' WHERE question = 'q3'")

    assert (other.status().pending, other.status().outbox_repairs) == (1, 1)
    assert many.flush().sent == TOPICS - 1
