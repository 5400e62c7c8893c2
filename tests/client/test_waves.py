"""The same questions wave after wave: tossed once or afresh, charged exactly, and killed often."""

import sqlite3
import threading
from collections import Counter
from contextlib import closing
from dataclasses import replace
from datetime import UTC, date, datetime
from fractions import Fraction
from pathlib import Path

import pytest
from killing import Killed, child, wait

from tossup.client import Client, Outcome
from tossup.client.asking import now, turns
from tossup.client.store import database, memory
from tossup.client.testing import MemoryServer
from tossup.shared import wire
from tossup.shared.coins import Coins
from tossup.shared.mechanisms import KaryRandomizedResponse, PermanentInstantaneous, Rappor
from tossup.shared.signing import sign_manifest
from tossup.shared.survey import Attribute, Option, Survey
from tossup.shared.waves import Waves

MONDAY = date(2027, 1, 4)
NORTH = {"region": "north"}
TRIED = {"ever_tried": True, "region": "north"}
BOTH = {"rating": "r2", **TRIED}


def asking(survey: Survey, waves: Waves, **changes) -> Survey:
    """The survey, asked in waves."""
    options = tuple(Option(wave, {"en": wave}) for wave in waves.options)
    attributes = (*survey.attributes, Attribute("wave", {"en": "Wave"}, options))
    return replace(survey, id="again", attributes=attributes, waves=waves, **changes)


def blurred(survey: Survey) -> Survey:
    """The survey with a second stage for each question."""
    tried, rating = survey.questions
    questions = (
        replace(tried, mechanism=PermanentInstantaneous(2, 9, 1, 3, 1)),
        replace(rating, mechanism=Rappor(5, 3, 1, 3, 1, 4)),
    )
    return replace(survey, questions=questions)


@pytest.fixture
def device(stub, store, publisher_key):
    """Makes a client of a survey in waves."""

    def made(survey: Survey, **settings) -> Client:
        stub.publish(survey, publisher_key)
        settings = {"question_cap": 3**12} | settings
        client = Client(stub.link(survey), survey.publisher.key, store=store, **settings)
        assert client.survey() == survey
        return client

    return made


@pytest.fixture
def permanent(survey: Survey) -> Survey:
    """Twelve weeks, tossed once for life."""
    return asking(survey, Waves(12, MONDAY, 7))


@pytest.fixture
def fresh(survey: Survey) -> Survey:
    """Twelve weeks, tossed afresh in every one."""
    return asking(survey, Waves(12, MONDAY, 7, times=12))


def by_wave(stub) -> Counter:
    """Reports at the server by question and wave, from 1."""
    return Counter((*columns, publics["wave"] + 1) for _, columns, publics in stub.reports.values())


def today(monkeypatch, day: date) -> None:
    noon = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
    monkeypatch.setattr(now, "clock", lambda: int(noon.timestamp()))


# Tossed once for life


def test_it_works(device, stub, permanent):
    """One answer, twelve reports, one price; each wave has one report a question."""
    client = device(permanent)
    outcomes = [client.answer(BOTH, wave=1), *(client.repeat(NORTH, wave=n) for n in range(2, 13))]
    client.flush()

    assert outcomes == [Outcome.QUEUED] * 12
    assert by_wave(stub) == {(q, n): 1 for q in ("ever_tried", "rating") for n in range(1, 13)}
    assert (9, 24) == (client.status().device.odds, client.status().sent)


def test_what_was_tossed_once_is_reported_in_every_wave(device, stub, permanent):
    """Without a second stage all reports of a question are the same, under ids of their own."""
    client = device(permanent)
    for wave in range(1, 13):
        client.answer(BOTH, wave=wave)
    client.flush()
    values = {
        (name, value) for _, columns, _ in stub.reports.values() for name, value in columns.items()
    }

    assert {"ever_tried", "rating"} == {name for name, _ in values}
    assert (2, 24) == (len(values), len(stub.reports))


def test_later_answers_are_not_looked_at(device, permanent, monkeypatch):
    """In a later wave another answer changes nothing: no coin is tossed for it."""
    client = device(permanent)
    client.answer(BOTH, wave=1)
    monkeypatch.setattr(Coins, "below", lambda *_: pytest.fail("a coin was tossed"))

    assert client.answer({**BOTH, "ever_tried": False, "rating": "r5"}, wave=2) is Outcome.QUEUED


@pytest.mark.parametrize("again", ["answer", "repeat"])
def test_a_wave_has_one_report(device, stub, permanent, again):
    """Answering or repeating twice in a wave sends nothing twice."""
    client = device(permanent)
    client.answer(BOTH, wave=1)
    calls = {"answer": lambda: client.answer(BOTH, 1), "repeat": lambda: client.repeat(NORTH, 1)}
    outcome = calls[again]()
    client.flush()

    assert outcome is Outcome.ALREADY_ANSWERED
    assert len(stub.reports) == 2


def test_a_question_may_be_answered_first_in_a_later_wave(device, stub, permanent):
    """Questions answered in one call may be new and old; only the new are tossed and charged."""
    client = device(permanent)
    client.answer(TRIED, wave=1)
    outcome = client.answer(BOTH, wave=2)
    client.flush()

    assert outcome is Outcome.QUEUED
    assert by_wave(stub) == {("ever_tried", 1): 1, ("ever_tried", 2): 1, ("rating", 2): 1}
    assert client.status().device.odds == 9


def test_a_second_stage_is_tossed_afresh_from_what_is_kept(device, stub, survey, store):
    """Reports differ from wave to wave, what is kept does not, and odds are those of what is kept.

    All 59 reports of five bits alike by chance: at most (5/8)**(5 * 58), below 1e-50.
    """
    again = asking(blurred(survey), Waves(59, MONDAY, 1))
    client = device(again, publisher_cap=81)
    client.answer(BOTH, wave=1)
    first = rows(store, "SELECT topic, kept FROM memory ORDER BY topic")
    for wave in range(2, 60):
        client.repeat(NORTH, wave=wave)
    client.flush()

    assert first == rows(store, "SELECT topic, kept FROM memory ORDER BY topic")
    assert 1 < len({c["rating"] for _, c, _ in stub.reports.values() if "rating" in c})
    assert (81, 81) == (client.status().device.odds, again.odds)


def test_reports_of_a_kept_value_follow_the_second_stage(survey, publisher_key, tmp_path):
    """Of 250 reports of one kept bit three in four are that bit.

    At 3/4 the count is outside 152 to 220 with probability 3.7e-7 (exact binomial).
    """
    tried = replace(survey.questions[0], mechanism=PermanentInstantaneous(2, 9, 1, 3, 1))
    again = asking(survey, Waves(250, MONDAY, 1), questions=(tried,))
    server = MemoryServer(sign_manifest(again.payload, publisher_key))
    link = "https://survey.example/v1/surveys/again"
    store = tmp_path / "one.db"
    client = Client(link, survey.publisher.key, store=store, transport=server)
    client.answer(TRIED, wave=1)
    [(kept,)] = rows(store, "SELECT kept FROM memory")
    for wave in range(2, 251):
        client.repeat(NORTH, wave=wave)
    client.flush()
    alike = sum(report.columns["ever_tried"] == int(kept) for report in server.reports.values())

    assert len(server.reports) == 250
    assert 152 <= alike <= 220


def rows(store: Path, statement: str) -> list[tuple]:
    with closing(sqlite3.connect(store)) as connection:
        return connection.execute(statement).fetchall()


def test_nothing_kept_tells_more_than_the_ledger_was_charged(survey, publisher_key, tmp_path):
    """Of 80 devices that answer yes about 3 in 4 keep a yes: the file holds no truth.

    At 3/4 the count is outside 40 to 76 with probability 7.7e-7 (exact binomial).
    """
    again = asking(survey, Waves(12, MONDAY, 7))
    server = MemoryServer(sign_manifest(again.payload, publisher_key))
    kept = Counter()
    for number in range(80):
        store = tmp_path / f"{number}.db"
        link = "https://survey.example/v1/surveys/again"
        client = Client(link, survey.publisher.key, store=store, transport=server)
        client.answer(TRIED, wave=1)
        kept.update(rows(store, "SELECT kept FROM memory"))

    assert set(kept) <= {("0",), ("1",)}
    assert 40 <= kept["1",] <= 76


def test_a_repeat_before_an_answer_is_not_possible(device, permanent):
    """Nothing is kept, so somebody must be asked first."""
    client = device(permanent)

    assert client.repeat(NORTH, wave=1) is Outcome.NOT_ASKED
    assert client.status().device.odds == 1


def test_a_repeat_takes_the_public_attributes_alone(device, permanent):
    """Missing or unknown ones are refused; an answer is none of them."""
    client = device(permanent)
    client.answer(BOTH, wave=1)

    for given in ({}, BOTH, {"region": "east"}, {**NORTH, "wave": "2"}, None, []):
        assert client.repeat(given, wave=2) in {Outcome.REFUSED_ANSWER}
    assert client.status().pending == 2


def test_repeating_is_free_even_when_the_cap_is_spent(device, permanent):
    """Later waves charge nothing, so no cap stands in their way."""
    client = device(permanent, publisher_cap=9, device_cap=9)
    client.answer(BOTH, wave=1)

    assert client.repeat(NORTH, wave=2) is Outcome.QUEUED
    assert client.status().device.odds == 9


def test_a_withdrawal_takes_back_every_wave_and_erases_what_is_kept(device, stub, permanent, store):
    """All ids are withdrawn; afterwards nothing is reported or tossed again, consent or not."""
    client = device(permanent)
    client.answer(BOTH, wave=1)
    client.flush()
    client.repeat(NORTH, wave=2)
    client.flush()
    sent = set(stub.reports)
    client.withdraw()
    client.flush()
    client.consent(True)

    assert (4, sent) == (len(sent), stub.withdrawn)
    assert [] == rows(store, "SELECT * FROM memory")
    assert client.repeat(NORTH, wave=3) is Outcome.NOT_ASKED
    assert client.answer(BOTH, wave=3) is Outcome.ALREADY_ANSWERED
    assert client.status().device.odds == 9


def test_a_memory_that_is_not_what_was_written_fails_closed(device, permanent, store):
    """A flipped bit of what is kept stops everything, rather than be reported."""
    client = device(permanent)
    client.answer(BOTH, wave=1)
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("UPDATE memory SET kept = CASE kept WHEN '4' THEN '0' ELSE '4' END")

    assert client.repeat(NORTH, wave=2) is Outcome.LEDGER_DAMAGED
    assert client.answer(BOTH, wave=2) is Outcome.LEDGER_DAMAGED


def test_a_memory_that_is_gone_is_never_tossed_anew(device, permanent, store):
    """The ledger remembers the topic, so a lost memory ends it."""
    client = device(permanent)
    client.answer(BOTH, wave=1)
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("DELETE FROM memory")

    assert client.answer(BOTH, wave=2) is Outcome.ALREADY_ANSWERED
    assert client.status().device.odds == 9


def test_what_is_kept_is_of_one_mechanism(device, stub, permanent, publisher_key):
    """A new version with other coins cannot report what the old ones tossed, nor toss again."""
    client = device(permanent)
    client.answer(BOTH, wave=1)
    tried, rating = permanent.questions
    changed = replace(rating, mechanism=KaryRandomizedResponse(5, 9, 1))
    second = replace(permanent, version=2, previous=permanent.digest, questions=(tried, changed))
    stub.publish(second, publisher_key)
    client.survey()
    outcome = client.answer(BOTH, wave=2)
    client.flush()

    assert outcome is Outcome.QUEUED
    assert by_wave(stub) == {("ever_tried", 1): 1, ("rating", 1): 1, ("ever_tried", 2): 1}
    assert client.status().device.odds == 9


@pytest.mark.parametrize(
    "change",
    [
        lambda options: options[::-1],
        lambda options: (*options[:-1], Option("other", {"en": "Other"})),
    ],
    ids=["another order", "another option"],
)
def test_what_is_kept_is_of_the_options_that_were_asked(
    device, stub, permanent, publisher_key, change
):
    """A kept option is a place in a list: a version with another list must not report it."""
    client = device(permanent)
    client.answer(BOTH, wave=1)
    tried, rating = permanent.questions
    changed = replace(rating, options=change(rating.options))
    second = replace(permanent, version=2, previous=permanent.digest, questions=(tried, changed))
    stub.publish(second, publisher_key)
    client.survey()
    client.repeat(NORTH, wave=2)
    client.flush()

    assert by_wave(stub) == {("ever_tried", 1): 1, ("rating", 1): 1, ("ever_tried", 2): 1}


def test_more_waves_may_follow_in_a_new_version(device, stub, permanent, publisher_key):
    """What is kept serves waves that were added later, at no price."""
    client = device(permanent)
    client.answer(BOTH, wave=12)
    longer = asking(
        replace(permanent, attributes=permanent.attributes[:-1], waves=None),
        Waves(24, MONDAY, 7),
        version=2,
        previous=permanent.digest,
    )
    stub.publish(longer, publisher_key)
    client.survey()

    assert client.repeat(NORTH, wave=13) is Outcome.QUEUED
    assert client.status().device.odds == 9


@pytest.mark.parametrize("first", ["waves", "once"])
def test_a_topic_belongs_to_the_survey_that_asked_first(
    device, stub, survey, permanent, store, first
):
    """A survey with waves and one without cannot both ask a topic, nor lend what is kept."""
    once = Client(stub.link(survey), survey.publisher.key, store=store)
    again = device(permanent)
    calls = [lambda: again.answer(BOTH, wave=1), lambda: once.answer(BOTH)]
    outcomes = [call() for call in (calls if first == "waves" else reversed(calls))]

    assert outcomes == [Outcome.QUEUED, Outcome.ALREADY_ANSWERED]
    assert once.status().device.odds == 9


@pytest.mark.parametrize("times", [None, 12])
def test_another_survey_in_waves_gets_nothing_of_a_topic(device, stub, survey, times):
    """Two surveys of a publisher would add up their waves; the second is refused in each."""
    first = device(asking(survey, Waves(12, MONDAY, 7, times)))
    other = device(replace(asking(survey, Waves(12, MONDAY, 7, times)), id="other"))
    first.answer(BOTH, wave=1)

    assert {Outcome.ALREADY_ANSWERED} == {other.answer(BOTH, wave=wave) for wave in (1, 2)}
    assert other.status().device.odds == 9


# Tossed afresh


def test_an_answer_that_changes_is_tossed_and_charged_in_every_wave(device, stub, fresh):
    """Each wave is a new toss at its own odds; the cap ends it, and nothing of it is free."""
    client = device(fresh, publisher_cap=729)
    outcomes = [client.answer(TRIED, wave=wave) for wave in range(1, 9)]
    client.flush()

    assert outcomes == [Outcome.QUEUED] * 6 + [Outcome.REFUSED_CAP] * 2
    assert by_wave(stub) == {("ever_tried", wave): 1 for wave in range(1, 7)}
    assert client.status().device.odds == 729


def test_a_wave_is_answered_once_afresh(device, fresh):
    """A second answer in a wave tosses nothing; the next wave may."""
    client = device(fresh)
    outcomes = [client.answer(TRIED, wave=wave) for wave in (3, 3, 2, 3)]

    assert outcomes[:2] == outcomes[2:] == [Outcome.QUEUED, Outcome.ALREADY_ANSWERED]
    assert client.status().device.odds == 9


def test_nothing_is_kept_of_fresh_tosses(device, fresh, store):
    """Only the outbox holds them, until the server has acknowledged them."""
    client = device(fresh)
    client.answer(TRIED, wave=1)

    assert [] == rows(store, "SELECT * FROM memory")
    assert client.repeat(NORTH, wave=2) is Outcome.NOT_ASKED


def test_a_device_is_asked_in_the_waves_its_coins_chose(device, survey):
    """In two of twelve waves: two answers, two charges, whatever the order of tries."""
    client = device(asking(survey, Waves(12, MONDAY, 7, times=2)))
    chosen = client.status().waves.asked_in
    outcomes = {wave: client.answer(TRIED, wave=wave) for wave in range(12, 0, -1)}
    queued = tuple(w for w in sorted(outcomes) if outcomes[w] is Outcome.QUEUED)

    assert (2, chosen) == (len(chosen), queued)
    assert set(outcomes.values()) == {Outcome.QUEUED, Outcome.NOT_ASKED}
    assert client.status().device.odds == 9


def test_the_chosen_waves_stay_chosen(device, stub, survey, store):
    """Refused tries, new clients and fetched manifests do not choose anew."""
    again = asking(survey, Waves(256, MONDAY, 1, times=1))
    client = device(again)
    [chosen] = client.status().waves.asked_in
    for wave in (chosen % 256 + 1, (chosen + 1) % 256 + 1):
        assert client.answer(TRIED, wave=wave) is Outcome.NOT_ASKED
    other = Client(stub.link(again), survey.publisher.key, store=store)
    other.survey()

    assert (chosen,) == other.status().waves.asked_in
    assert other.answer(TRIED, wave=chosen) is Outcome.QUEUED


def test_a_version_with_fewer_turns_does_not_add_to_them(device, stub, survey, publisher_key):
    """However often the waves are declared anew, a topic is tossed for in ``times`` of them."""
    client = device(asking(survey, Waves(12, MONDAY, 7, times=2)))
    for wave in client.status().waves.asked_in:
        client.answer(TRIED, wave=wave)
    first = asking(survey, Waves(12, MONDAY, 7, times=2))
    second = asking(survey, Waves(11, MONDAY, 7, times=2), version=2, previous=first.digest)
    stub.publish(second, publisher_key)
    client.survey()
    outcomes = {client.answer(TRIED, wave=wave) for wave in client.status().waves.asked_in}

    assert {Outcome.ALREADY_ANSWERED} == outcomes
    assert client.status().device.odds == 9


def test_every_set_of_waves_is_chosen_equally_often():
    """Two of four: twelve runs of the coins, each of the six sets twice."""

    class Led(Coins):
        def __init__(self, choices):
            super().__init__()
            self.choices = list(choices)

        def below(self, n):
            return self.choices.pop(0)

    waves = Waves(4, MONDAY, 7, times=2)
    sets = Counter(turns.choose(waves, Led([i, j])) for i in range(4) for j in range(3))

    assert {2} == set(sets.values())
    assert len(sets) == 6


def test_joint_answers_are_tossed_afresh_together(device, stub, joint_survey):
    """All questions of a wave travel as one report, with the wave beside the region."""
    joint = asking(joint_survey, Waves(12, MONDAY, 7, times=12))
    client = device(joint)
    outcomes = [client.answer(BOTH, wave=wave) for wave in (1, 2, 2)]
    client.flush()

    assert outcomes == [Outcome.QUEUED, Outcome.QUEUED, Outcome.ALREADY_ANSWERED]
    assert sorted(p["wave"] for _, _, p in stub.reports.values()) == [0, 1]
    assert client.status().device.odds == 81


# The calendar


def test_the_wave_is_that_of_today(device, stub, permanent, monkeypatch):
    """By the device's clock, UTC: the third week is wave 3."""
    client = device(permanent)
    today(monkeypatch, date(2027, 1, 18))
    client.answer(BOTH)
    client.flush(force=True)

    assert by_wave(stub) == {("ever_tried", 3): 1, ("rating", 3): 1}


@pytest.mark.parametrize("day", [date(2027, 1, 3), date(2027, 3, 29)])
def test_before_and_after_all_waves_nothing_is_asked(device, permanent, monkeypatch, day):
    """Nothing is tossed, spent or stored."""
    client = device(permanent)
    today(monkeypatch, day)

    assert client.answer(BOTH) is Outcome.NOT_ASKED
    assert client.repeat(NORTH) is Outcome.NOT_ASKED
    assert client.status().waves.now is None
    assert (1, 0) == (client.status().device.odds, client.status().pending)


@pytest.mark.parametrize("wave", [0, 13, -1, True, "1", 1.0, b"1", [1]])
def test_what_is_no_wave_is_refused(device, permanent, wave):
    """Nothing is tossed for a wave that the survey does not have."""
    client = device(permanent)

    assert client.answer(BOTH, wave=wave) is Outcome.REFUSED_ANSWER
    assert client.status().device.odds == 1


def test_a_survey_without_waves_takes_none(client):
    """A wave given to it is a slip of the host app."""
    assert client.answer(BOTH, wave=1) is Outcome.REFUSED_ANSWER
    assert client.repeat(NORTH) is Outcome.NOT_ASKED
    assert client.status().waves is None


def test_the_status_says_what_is_to_be_done(device, permanent, monkeypatch):
    """First all questions are to be asked; later, what is kept can be repeated."""
    client = device(permanent)
    today(monkeypatch, MONDAY)
    before = client.status().waves
    client.answer(TRIED)
    after = client.status().waves
    today(monkeypatch, date(2027, 1, 11))
    later = client.status().waves

    assert (before.to_ask, before.to_repeat) == (("ever_tried", "rating"), ())
    assert (after.to_ask, after.to_repeat) == (("rating",), ())
    assert (later.now, later.to_ask, later.to_repeat) == (2, ("rating",), ("ever_tried",))


def test_nobody_is_to_be_asked_after_a_withdrawal(device, permanent, monkeypatch):
    """Neither asked nor reported for, until the respondent agrees again."""
    client = device(permanent)
    today(monkeypatch, MONDAY)
    client.withdraw()
    withdrawn = client.status().waves
    client.consent(True)

    assert (1, (), ()) == (withdrawn.now, withdrawn.to_ask, withdrawn.to_repeat)
    assert ("ever_tried", "rating") == client.status().waves.to_ask


# Words, bytes and kills


def test_a_preview_says_what_waves_mean(survey, permanent, fresh):
    """When, how often, tossed once or afresh, and what one report and all of them cost."""
    from tossup.client.preview import preview

    kept, changing = str(preview(permanent)), str(preview(fresh))
    stages = preview(asking(blurred(survey), Waves(12, MONDAY, 7)))
    some = str(preview(asking(survey, Waves(12, MONDAY, 1, times=2))))

    assert "in 12 waves of 7 days from 2027-01-04 on. The coins for your answer are" in kept
    assert "at most 3:1)" in kept
    assert "all together: at most 9:1" in kept
    assert "at most 3:1 by one report, 531441:1 by all together" in changing
    assert "waves of 1 day from 2027-01-04 on. You are asked in 2 of them" in some
    assert (Fraction(7, 3), 9) == (stages.questions[0].one_report, stages.questions[0].odds)
    assert "sent as it is, not randomized: region, wave" in kept


def test_a_wave_travels_as_a_public_attribute(device, stub, permanent):
    """One byte a report, beside the region; nothing else joins the waves of a device."""
    client = device(permanent)
    client.answer(TRIED, wave=1)
    client.repeat(NORTH, wave=2)
    client.flush()
    bodies = [body for method, _, _, body in stub.requests if method == "POST"]
    batches = [wire.decode_batch(body, permanent) for body in bodies]
    ids = [report_id for batch in batches for report_id in batch.ids]

    assert {"region", "wave"} == set(batches[0].attributes)
    assert (2, 2) == (len(ids), len(set(ids)))


def test_waves_that_waited_do_not_travel_together(device, stub, permanent):
    """A device that was offline for four waves sends four requests a question, one each."""
    client = device(permanent)
    client.answer(BOTH, wave=1)
    for wave in (2, 3, 4):
        client.repeat(NORTH, wave=wave)
    client.flush()
    bodies = [body for method, _, _, body in stub.requests if method == "POST"]

    assert [1] * 8 == [len(wire.decode_batch(body, permanent).ids) for body in bodies]


def test_a_wave_is_reported_once_however_many_race_for_it(device, stub, permanent, store):
    """Eight threads with clients of their own: one queues, seven have been beaten to it."""
    device(permanent).answer(BOTH, wave=1)
    outcomes = []

    def race() -> None:
        client = Client(stub.link(permanent), permanent.publisher.key, store=store)
        outcomes.append(client.repeat(NORTH, wave=2))

    threads = [threading.Thread(target=race) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert {Outcome.QUEUED: 1, Outcome.ALREADY_ANSWERED: 7} == Counter(outcomes)
    assert 4 == len(reports_in(store))


def kept_in(store: Path) -> list[tuple]:
    return rows(store, "SELECT topic, kept, seal FROM memory ORDER BY topic")


def reports_in(store: Path) -> list[tuple]:
    """Question, wave and value of the stored reports."""
    found = rows(store, "SELECT question, report FROM outbox_0 ORDER BY question, report")
    return [(question, report) for question, report in found]


@pytest.mark.prove
def test_sigkill_before_and_after_every_statement_of_a_first_wave(
    device, stub, survey, publisher_key, tmp_path
):
    """Charged, kept and reported, or none of it: a second try never tosses what was kept."""
    permanent = asking(blurred(survey), Waves(12, MONDAY, 7))
    stub.publish(permanent, publisher_key)
    connect, kills, place, ended = database.connect, 0, 0, False
    while not ended:
        place += 1
        for after in (False, True):
            store = tmp_path / f"{place}-{after}.db"
            client = Client(stub.link(permanent), survey.publisher.key, store=store)
            client.survey()

            def work(client=client, place=place, after=after) -> None:
                fuse = [place]
                database.connect = lambda path: Killed(connect(path), fuse, after=after)
                client.answer(BOTH, wave=1)

            ended = wait(child(work)) == 0
            kills += not ended
            before = kept_in(store)
            charged = rows(store, "SELECT topic FROM ledger ORDER BY topic")
            assert [topic for topic, *_ in before] == [topic for (topic,) in charged]
            assert len(before) in {0, 2}
            assert all(kept for _, kept, _ in before)
            assert len(reports_in(store)) == len(before)
            outcome = client.answer(BOTH, wave=1)
            assert outcome is (Outcome.ALREADY_ANSWERED if before else Outcome.QUEUED)
            assert before in ([], kept_in(store))
            assert client.status().device.odds == 81

    assert kills > 40


def test_sigkill_before_and_after_every_statement_of_a_later_wave(
    device, stub, survey, publisher_key, tmp_path
):
    """Wherever a repeat dies: one report a question and wave, of the same kept value, free."""
    permanent = asking(blurred(survey), Waves(12, MONDAY, 7))
    stub.publish(permanent, publisher_key)
    connect, kills, place, ended = database.connect, 0, 0, False
    while not ended:
        place += 1
        store = tmp_path / f"{place}.db"
        client = Client(stub.link(permanent), survey.publisher.key, store=store)
        client.survey()
        client.answer(BOTH, wave=1)
        before = kept_in(store)

        def work(client=client, place=place) -> None:
            fuse = [place]
            database.connect = lambda path: Killed(connect(path), fuse, after=place % 2 == 0)
            client.repeat(NORTH, wave=2)

        ended = wait(child(work)) == 0
        kills += not ended
        stored = len(reports_in(store)) == 4
        outcome = client.repeat(NORTH, wave=2)
        waves = rows(store, "SELECT topic, wave FROM ledger ORDER BY topic, wave")

        assert outcome is (Outcome.ALREADY_ANSWERED if stored else Outcome.QUEUED)
        assert before == kept_in(store)
        assert [
            ("habit", "1"),
            ("habit", "2"),
            ("habit-rating", "1"),
            ("habit-rating", "2"),
        ] == waves
        assert (4, 81) == (len(reports_in(store)), client.status().device.odds)

    assert kills > 20


def test_a_survey_in_waves_is_not_read_by_who_does_not_know_them(permanent):
    """An SDK without waves refuses the manifest: it says that it requires them."""
    assert b'"requires":["waves"]' in permanent.payload
    assert Survey.parse(permanent.payload) == permanent


def test_a_memory_has_one_form(permanent):
    """The mechanism that tossed it is part of it, and so are the answers it was for."""
    made = memory.blank(permanent, permanent.questions[0])

    assert made.design == '[{"name":"two-coin/1"},2,["no","yes"],null]'


@pytest.mark.parametrize("waves", ["", "x", "0 1", "3 13", "2 2", "1 2 3", "3"])
def test_damaged_turns_are_damage(device, survey, store, waves):
    """What cannot be a choice of waves is no reason to choose again, and said to be damage."""
    client = device(asking(survey, Waves(12, MONDAY, 7, times=2)))
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("UPDATE turns SET waves = ?", (waves,))

    outcome = client.answer(BOTH, wave=3)

    assert (outcome, client.status().trouble) == (Outcome.LEDGER_DAMAGED,) * 2
