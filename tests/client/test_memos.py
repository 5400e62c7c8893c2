"""Numbers that change, through coins that a device keeps: one memo for life, charged every wave."""

import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import replace
from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest
from killing import Killed, child, wait

from tossup.client import Client, Outcome
from tossup.client.preview import preview
from tossup.client.store import database, memory
from tossup.client.testing import MemoryServer
from tossup.shared.coins import Coins
from tossup.shared.errors import ManifestError
from tossup.shared.kinds.number import Grid
from tossup.shared.mechanisms import DBitFlip, OneBitMean, TruncatedGeometric
from tossup.shared.signing import sign_manifest
from tossup.shared.survey import Attribute, Option, Question, Survey
from tossup.shared.waves import Waves

MONDAY = date(2027, 1, 4)
NORTH = {"region": "north"}
FOUR = Waves(4, MONDAY, 7, times=4)
COUNTER = Question("starts", "starts", {"en": "Starts?"}, (), DBitFlip(5, 2), Grid.integers(0, 4))
MEAN = replace(COUNTER, id="hours", topic="hours", mechanism=OneBitMean(5))


def asking(survey: Survey, *questions: Question, waves: Waves = FOUR, **changes) -> Survey:
    """Questions about numbers, asked in waves."""
    options = tuple(Option(wave, {"en": wave}) for wave in waves.options)
    attributes = (*survey.attributes, Attribute("wave", {"en": "Wave"}, options))
    shape = {"id": "counters", "questions": questions, "attributes": attributes, "waves": waves}
    return replace(survey, **shape, **changes)


@pytest.fixture
def counting(survey: Survey) -> Survey:
    """Two numbers in four waves: 9:1 and 3:1 a wave for whoever takes the device."""
    return asking(survey, COUNTER, MEAN)


@pytest.fixture
def device(stub, store, publisher_key):
    """Makes a client of a survey, without caps that would end it."""

    def made(survey: Survey, **settings) -> Client:
        stub.publish(survey, publisher_key)
        caps = {"question_cap": 10**9, "publisher_cap": 10**9, "device_cap": 10**9} | settings
        client = Client(stub.link(survey), survey.publisher.key, store=store, **caps)
        assert client.survey() == survey
        return client

    return made


def rows(store: Path, statement: str) -> list[tuple]:
    with closing(sqlite3.connect(store)) as connection:
        return connection.execute(statement).fetchall()


def kept_in(store: Path) -> list[tuple]:
    return rows(store, "SELECT topic, kept, seal FROM memory ORDER BY topic")


def both(answer: int) -> dict[str, object]:
    return {"starts": answer, "hours": 4 - answer, **NORTH}


def test_one_memo_serves_all_waves(device, stub, counting, store):
    """It is kept with the first report, never changed, and every wave has its report."""
    client = device(counting)
    outcomes, memos = [], []
    for wave in range(1, 5):
        outcomes.append(client.answer(both(wave), wave=wave))
        memos.append(kept_in(store))
    client.flush()
    waves = Counter((*columns, publics["wave"]) for _, columns, publics in stub.reports.values())

    assert [Outcome.QUEUED] * 4 == outcomes
    assert [memos[0]] * 4 == memos
    assert ["hours", "starts"] == [topic for topic, *_ in memos[0]]
    assert {(name, wave): 1 for name in ("starts", "hours") for wave in range(4)} == waves


def test_every_wave_is_charged_what_it_tells_whoever_has_the_memo(device, counting, store):
    """Not what the reports alone tell, which is less: the store may be taken."""
    client = device(counting)
    spent = []
    for wave in range(1, 5):
        client.answer(both(0), wave=wave)
        spent.append(client.status().device.odds)
    charged = rows(store, "SELECT odds FROM ledger WHERE topic = 'starts'")

    assert [Fraction(27) ** wave for wave in range(1, 5)] == spent
    assert [("9",)] * 4 == charged
    assert Fraction(27) ** 4 == counting.odds
    assert DBitFlip(5, 2).odds_of(4) < 9**4


def test_a_cap_counts_waves_through_a_memo(device, counting, store):
    """At 729 the third wave of both is refused; nothing is tossed, kept or sent for it."""
    client = device(counting, publisher_cap=729)
    outcomes = [client.answer(both(2), wave=wave) for wave in (1, 2, 3)]

    assert [Outcome.QUEUED, Outcome.QUEUED, Outcome.REFUSED_CAP] == outcomes
    assert 729 == client.status().device.odds


def test_the_same_answer_is_reported_through_the_same_bits(survey, publisher_key, tmp_path):
    """Of 15 reports of an answer that stays, all but a few are alike, however the memo fell.

    With fresh coins of 1000:1 each differs from the kept bit with probability 1/1001: of 180 of
    12 devices more than 12 do with one below 1e-19. Through a memo of each wave it were 60 or so.
    """
    waves = Waves(16, MONDAY, 7, times=15)
    sticky = replace(MEAN, mechanism=OneBitMean(5, 2, 1, 1000, 1))
    again = asking(survey, sticky, waves=waves)
    server = MemoryServer(sign_manifest(again.payload, publisher_key))
    fewest = []
    for number in range(12):
        before = set(server.reports)
        link = "https://survey.example/v1/surveys/counters"
        caps = {"question_cap": 10**50, "publisher_cap": 10**50, "device_cap": 10**50}
        store = tmp_path / f"{number}.db"
        client = Client(link, survey.publisher.key, store=store, transport=server, **caps)
        for wave in range(1, 17):
            client.answer({"hours": 2, **NORTH}, wave=wave)
        client.flush()
        sent = [r.columns["hours"] for name, r in server.reports.items() if name not in before]
        fewest.append(min(Counter(sent)[bit] for bit in (0, 1)))
        assert 15 == len(sent)

    assert sum(fewest) <= 12


def test_the_memo_is_tossed_before_the_answer_is_looked_at(
    stub, counting, publisher_key, tmp_path, monkeypatch
):
    """With the coins held still, all answers leave the same memo behind."""
    from tossup.client import answering

    stub.publish(counting, publisher_key)
    monkeypatch.setattr(answering, "Coins", lambda: Coins(lambda count: b"\x6d" * count))
    found = set()
    for answer in range(5):
        store = tmp_path / f"{answer}.db"
        key = counting.publisher.key
        client = Client(stub.link(counting), key, store=store, question_cap=10**9)
        assert client.answer(both(answer), wave=1) is Outcome.QUEUED
        found.add(tuple(kept_in(store)))

    assert 1 == len(found)


def test_a_memo_that_is_gone_is_never_tossed_anew(device, counting, store):
    """Two memos would be two memories; the wave is not asked, and nothing is spent."""
    client = device(counting)
    client.answer(both(1), wave=1)
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("DELETE FROM memory")

    assert client.answer(both(1), wave=2) is Outcome.ALREADY_ANSWERED
    assert () == client.status().waves.to_ask
    assert ([], 27) == (kept_in(store), client.status().device.odds)


def test_a_memo_that_is_not_what_was_written_fails_closed(device, counting, store):
    """A flipped bit of it stops everything."""
    client = device(counting)
    client.answer(both(1), wave=1)
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("UPDATE memory SET kept = CASE kept WHEN '4' THEN '0' ELSE '4' END")

    assert client.answer(both(1), wave=2) is Outcome.LEDGER_DAMAGED


def test_a_memo_is_of_one_mechanism_and_one_grid(device, stub, counting, publisher_key):
    """A version with other coins, or other numbers, is not asked through it, nor without it."""
    client = device(counting)
    client.answer(both(1), wave=1)
    changed = (
        replace(COUNTER, mechanism=DBitFlip(5, 2, 3, 1)),
        replace(MEAN, domain=Grid.integers(1, 5)),
    )
    second = replace(counting, version=2, previous=counting.digest, questions=changed)
    stub.publish(second, publisher_key)
    client.survey()

    assert client.answer(both(1), wave=2) is Outcome.ALREADY_ANSWERED
    assert 27 == client.status().device.odds


def test_a_question_may_be_answered_first_in_a_later_wave(device, counting, store):
    """Each memo is tossed with its own first answer, beside one that is there already."""
    client = device(counting)
    client.answer({"starts": 3, **NORTH}, wave=1)
    before = kept_in(store)
    outcome = client.answer(both(3), wave=2)

    assert outcome is Outcome.QUEUED
    assert before == [row for row in kept_in(store) if row[0] == "starts"]
    assert (2, 9 * 27) == (len(kept_in(store)), client.status().device.odds)


def test_a_wave_is_answered_once(device, counting):
    """A second answer in a wave tosses nothing."""
    client = device(counting)
    outcomes = [client.answer(both(2), wave=wave) for wave in (2, 2, 1)]

    assert [Outcome.QUEUED, Outcome.ALREADY_ANSWERED, Outcome.QUEUED] == outcomes


def test_nothing_is_reported_without_an_answer(device, counting):
    """A memo is coins, and no answer that could be repeated."""
    client = device(counting)
    client.answer(both(2), wave=1)

    assert client.repeat(NORTH, wave=2) is Outcome.NOT_ASKED


def test_a_device_is_asked_in_the_waves_its_coins_chose(device, survey):
    """Two of four: two answers through one memo, two charges."""
    client = device(asking(survey, MEAN, waves=Waves(4, MONDAY, 7, times=2)))
    outcomes = [client.answer({"hours": 1, **NORTH}, wave=wave) for wave in range(1, 5)]

    assert {Outcome.QUEUED: 2, Outcome.NOT_ASKED: 2} == Counter(outcomes)
    assert 9 == client.status().device.odds


def test_a_withdrawal_erases_the_memo(device, counting, store):
    """Afterwards nothing is asked through another one, consent or not."""
    client = device(counting)
    client.answer(both(2), wave=1)
    client.withdraw()
    client.flush()
    client.consent(True)

    assert [] == kept_in(store)
    assert client.answer(both(2), wave=2) is Outcome.ALREADY_ANSWERED


def test_a_forked_device_and_a_new_client_share_the_memo(device, stub, counting, store):
    """It is in the store, and nowhere else."""
    device(counting).answer(both(2), wave=1)
    before = kept_in(store)

    def work() -> None:
        client = Client(
            stub.link(counting), counting.publisher.key, store=store, question_cap=10**9,
            publisher_cap=10**9,
            device_cap=10**9,
        )  # fmt: skip
        assert client.answer(both(0), wave=2) is Outcome.QUEUED

    assert 0 == wait(child(work))
    assert device(counting).answer(both(1), wave=3) is Outcome.QUEUED
    assert before == kept_in(store)


@pytest.mark.parametrize(
    "wave", [1, pytest.param(2, marks=pytest.mark.prove)], ids=["first wave", "later wave"]
)
def test_sigkill_before_and_after_every_statement_of_a_wave(
    device, stub, counting, publisher_key, tmp_path, wave
):
    """Charged, kept and reported, or none of it; a memo that is there is never another one."""
    stub.publish(counting, publisher_key)
    connect, kills, place, ended = database.connect, 0, 0, False
    while not ended:
        place += 1
        store = tmp_path / f"{place}.db"
        caps = {"question_cap": 10**9, "publisher_cap": 10**9, "device_cap": 10**9}
        client = Client(stub.link(counting), counting.publisher.key, store=store, **caps)
        client.survey()
        for earlier in range(1, wave):
            client.answer(both(4), wave=earlier)
        first = kept_in(store)

        def work(client=client, place=place) -> None:
            fuse = [place]
            database.connect = lambda path: Killed(connect(path), fuse, after=place % 2 == 0)
            client.answer(both(1), wave=wave)

        ended = wait(child(work)) == 0
        kills += not ended
        before = kept_in(store)
        done = len(rows(store, "SELECT odds FROM ledger"))
        assert done in {2 * (wave - 1), 2 * wave}
        assert done == len(rows(store, "SELECT id FROM outbox_0"))
        assert (2 if done else 0) == len(before)
        assert all(kept for _, kept, _ in before)
        assert first in ([], before)
        outcome = client.answer(both(1), wave=wave)
        assert outcome is (Outcome.ALREADY_ANSWERED if done == 2 * wave else Outcome.QUEUED)
        assert before in ([], kept_in(store))
        assert client.status().device.odds == 27**wave

    assert kills > 20


def test_a_preview_says_what_the_device_keeps_and_what_that_costs(survey):
    """What all of it costs whoever takes the device, and what the reports alone tell."""
    shown = str(preview(asking(survey, MEAN)))

    assert "at most 7/3:1 by one report, 81:1 by all together" in shown
    assert "All of it together: 81:1, also for someone who takes this device; the reports" in shown
    assert "alone: 1681/81:1, about 20.76:1, and 73/9:1 as long as your answer stays the" in shown
    assert "coins that it keeps for all waves: they say nothing of your answers" in shown


@pytest.mark.parametrize("times", [None, 1, 17])
def test_waves_that_a_memo_is_not_for_are_refused(survey, times):
    """Once for life nothing may change, once is no wave, and more than 16 are not accounted for."""
    with pytest.raises(
        ManifestError, match=r"answers that change: give waves\.times, from 2 to 16"
    ):
        asking(survey, MEAN, waves=Waves(20, MONDAY, 7, times=times))


def test_answers_that_travel_together_take_no_memo(survey):
    """What several questions keep would together mark a device."""
    with pytest.raises(ManifestError, match="use linkage none"):
        asking(survey, COUNTER, MEAN, linkage="joint")


def test_a_memo_is_tossed_through_by_its_own_kind_alone():
    """Asking another question through one is a slip of the program."""
    other = replace(MEAN, mechanism=TruncatedGeometric.for_odds(5, Fraction(3)))

    with pytest.raises(TypeError, match="has no memo"):
        other.through(0, 1, Coins())


def test_a_memo_has_one_form(counting):
    """The whole mechanism that tossed it is part of it, and so are the numbers it was for."""
    expected = (
        '[{"name":"one-bit-mean/1","keep":9,"lie":1,"again_keep":3,"again_lie":1},5,[],'
        '{"low":0,"high":4}]'
    )

    assert expected == memory.blank(counting, MEAN).design
