"""A new version that raises what an answer costs is previewed first; no version is swapped in."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import date

import pytest
from answers import problem

from tossup.client import Client, Outcome
from tossup.client.errors import ManifestRefused, OddsRaised
from tossup.shared.mechanisms import RandomizedResponse
from tossup.shared.signing import sign_manifest
from tossup.shared.survey import Attribute, Option, Survey
from tossup.shared.waves import Waves
from tossup.shared.wire import MANIFEST_TYPE

ANSWERS = {"ever_tried": True, "region": "north"}
SHOWN = ("live", "daily", "closed")


def at(survey: Survey, odds: int, before: Survey | None = None, **changes) -> Survey:
    """A version that asks its first question at these odds, after the one before."""
    first = replace(
        survey.questions[0], mechanism=RandomizedResponse(((odds, 1), (1, odds))), **changes
    )
    return replace(
        survey,
        questions=(first, *survey.questions[1:]),
        version=before.version + 1 if before else 1,
        previous=before.digest if before else None,
    )


@pytest.fixture
def seen(survey, stub, publisher_key, store):
    """Shows versions to a device, one after the other, and returns it."""

    def show(*versions: Survey, **settings) -> Client:
        client = Client(stub.link(survey), survey.publisher.key, store=store, **settings)
        for version in versions:
            stub.publish(version, publisher_key)
            client.survey()
        return client

    return show


def test_raised_odds_are_previewed_before_they_are_spent(survey, seen, stub, store, tossed):
    """Nothing is tossed until a preview has said so, in any process; then it is as before."""
    first = at(survey, 3)
    client = seen(first, at(survey, 5, first))

    assert client.answer(ANSWERS) is Outcome.ODDS_RAISED
    assert client.status().raised == ("ever_tried",)
    assert (tossed, client.status().device.odds) == ([], 1)
    other = Client(stub.link(survey), survey.publisher.key, store=store)
    assert "(at most 5:1, raised from 3:1)" in str(other.preview())
    assert "raised" not in str(other.preview())
    assert client.status().raised == ()
    assert client.answer(ANSWERS) is Outcome.QUEUED


def test_only_what_is_raised_and_asked_needs_a_preview(survey, seen):
    """Other questions are answered; a preview of others does not count; nor lowered odds."""
    first = at(survey, 5)
    lower = at(survey, 3, first)
    assert seen(first, lower).answer(ANSWERS) is Outcome.QUEUED

    again = seen(at(survey, 7, lower))
    assert again.answer({"rating": "r1", "region": "north"}) is Outcome.QUEUED


@pytest.mark.parametrize("names", [{"rating": 0}, None])
def test_a_preview_counts_for_the_questions_that_it_shows(survey, seen, names):
    """One of another question says nothing of this one."""
    first = at(survey, 3)
    client = seen(first, at(survey, 5, first))
    client.preview(names)

    assert client.answer(ANSWERS) is (Outcome.ODDS_RAISED if names else Outcome.QUEUED)


def test_every_sequence_of_odds_is_judged_by_what_was_known(survey, tmp_path, stub, publisher_key):
    """The last cost that was seen first, lowered to, or previewed; not the last that was sent."""
    cases = [
        ((3, 5), "", Outcome.ODDS_RAISED),
        ((3, 5, 5), "", Outcome.ODDS_RAISED),
        ((3, 5, 3), "", Outcome.QUEUED),
        ((5, 3, 5), "", Outcome.ODDS_RAISED),
        ((3, 5), "5", Outcome.QUEUED),
        ((3, 5, 5), "5", Outcome.QUEUED),
        ((3, 5, 7), "5", Outcome.ODDS_RAISED),
        ((3, 5, 3, 5), "5", Outcome.QUEUED),
    ]
    for number, (odds, previewed, wanted) in enumerate(cases):
        before, store = None, tmp_path / f"{number}.db"
        client = Client(stub.link(survey), survey.publisher.key, store=store)
        for value in odds:
            before = at(survey, value, before)
            stub.publish(before, publisher_key)
            assert client.survey() == before
            if str(value) == previewed:
                client.preview()

        assert client.answer(ANSWERS) is wanted, (odds, previewed)


@pytest.mark.parametrize("change", [{"id": "renamed"}, {"topic": "renamed"}], ids=str)
def test_another_name_hides_no_raise(survey, seen, change):
    """A question is the same by its id or by its topic."""
    first = at(survey, 3)
    second = at(survey, 5, first, **change)
    name = second.questions[0].id

    assert seen(first, second).answer({name: True, "region": "north"}) is Outcome.ODDS_RAISED


def test_more_waves_raise_the_cost_too(survey, seen):
    """What counts is the cost for life."""

    def asked(times: int, before: Survey | None = None) -> Survey:
        waves = Waves(4, date(2027, 1, 4), 7, times=times)
        words = {"en": "Wave"}
        wave = Attribute("wave", words, tuple(Option(name, words) for name in waves.options))
        return replace(at(survey, 2, before), attributes=(wave,), waves=waves)

    first = asked(3)
    client = seen(first, asked(4, first), question_cap=16)
    outcomes = {client.answer({"ever_tried": True}, wave) for wave in range(1, 5)}

    assert outcomes == {Outcome.ODDS_RAISED}
    assert "raised from 8:1" in str(client.preview())


def test_what_is_kept_is_reported_again_without_a_preview(survey, seen):
    """It costs nothing more, whatever a new version asks of others."""
    waves = Waves(4, date(2027, 1, 4), 7)
    words = {"en": "Wave"}
    wave = Attribute("wave", words, tuple(Option(name, words) for name in waves.options))
    first = replace(at(survey, 3), attributes=(wave,), waves=waves)
    client = seen(first)
    assert client.answer({"ever_tried": True}, 1) is Outcome.QUEUED
    second = replace(at(survey, 3, first), attributes=(wave,), waves=waves)
    seen(second)

    assert client.repeat(wave=2) is Outcome.QUEUED


def test_what_was_promised_is_previewed_before_it_is_taken_back(
    survey, tmp_path, stub, publisher_key, tossed
):
    """Results that more see or sooner, longer retention, another linkage: said, then as before.

    What a version promises beyond those before needs no preview, and is expected of the next.
    """
    start = replace(at(survey, 3), results="private", retention_days=30, linkage="none")
    live, daily, closed = ({"results": "public", "shown": when} for when in SHOWN)
    private, at_once = {"results": "private", "shown": "live"}, "are as reports come in now"
    cases = [
        ([private, live], "results were private and are public now"),
        ([private, closed], "results were private and are public now"),
        ([closed, live], f"public results were shown once the survey is closed, and {at_once}"),
        ([daily, live], f"public results were shown once a day, and {at_once}"),
        (
            [closed, daily],
            "public results were shown once the survey is closed, and are once a day now",
        ),
        ([live, daily, live], f"public results were shown once a day, and {at_once}"),
        ([closed, private, closed], "results were private and are public now"),
        ([live, daily, closed, private], None),
        ([{}, {"retention_days": 31}], "single reports were kept for 30 days and are for 31 now"),
        (
            [{}, {"linkage": "joint"}],
            "each answer travelled alone, and all answers of a respondent travel together now",
        ),
        ([{}, {"retention_days": 29}], None),
    ]
    given = {**ANSWERS, "rating": "r1"}
    for number, (promised, reason) in enumerate(cases):
        client = Client(stub.link(survey), survey.publisher.key, store=tmp_path / f"{number}.db")
        before = None
        for changes in promised:
            before = replace(at(start, 3, before), **changes)
            stub.publish(before, publisher_key)
            client.survey()

        if reason is not None:
            assert client.answer(given) is Outcome.ODDS_RAISED, promised
            assert reason in client.status().problem
            assert (tossed, client.status().device.odds) == ([], 1)
            assert f"changed in this version: {reason}" in str(client.preview())
            assert client.preview().changes == ()
        assert client.answer(given) is Outcome.QUEUED, promised
        tossed.clear()


def test_the_error_names_question_and_odds(survey, seen):
    """What it was, what it is, and what to do."""
    first = at(survey, 3)
    with pytest.raises(OddsRaised, match=r"version 2 raises.*'ever_tried'.*3:1 to 5:1.*preview"):
        seen(first, at(survey, 5, first), strict=True).answer(ANSWERS)


def test_a_version_must_follow_every_one_that_this_device_knows(survey, stub, publisher_key, store):
    """Older ones, second faces and false ancestors are refused, damaged store or not."""
    first = at(survey, 3)
    second, forked = at(survey, 3, first), replace(at(survey, 3, first), minimum_batch=101)
    third = at(survey, 3, second)
    client = Client(stub.link(survey), survey.publisher.key, store=store, strict=True)
    for version in (first, second):
        stub.publish(version, publisher_key)
        client.survey()
    wrong = {
        "older": first,
        "second face": forked,
        "not of the last": replace(third, previous=first.digest),
        "of a stranger": replace(third, previous="0" * 64),
        "skips, yet names the first": replace(third, version=7, previous=first.digest),
    }
    for _ in ("readable", "damaged"):
        for name, version in wrong.items():
            stub.publish(version, publisher_key)
            fresh = Client(stub.link(survey), survey.publisher.key, store=store, strict=True)
            with pytest.raises(ManifestRefused):
                pytest.fail(f"{name} was taken: {fresh.survey()}")
        with closing(sqlite3.connect(store)) as connection, connection:
            connection.execute("UPDATE manifests SET envelope = x'00' WHERE version = 2")
    stub.publish(third, publisher_key)
    assert fresh.survey() == third


@pytest.fixture
def chain(survey, stub, publisher_key) -> list[Survey]:
    """A survey's versions, of which the third raises the odds; the server offers the last."""
    versions = [at(survey, 3)]
    for odds in (3, 5, *[5] * 37):
        versions.append(at(survey, odds, versions[-1]))
    for version in versions:
        stub.publish(version, publisher_key)
    return versions


@pytest.fixture
def knows_first(chain, stub, publisher_key, seen) -> Callable[[int], Client]:
    """Makes a device that knows the first version, and offers it another."""

    def offer(number: int, **settings) -> Client:
        client = seen(chain[0], **settings)
        stub.publish(chain[number - 1], publisher_key)
        stub.requests.clear()
        return client

    return offer


def test_versions_that_a_device_missed_are_fetched_and_followed(chain, knows_first, stub):
    """Each names the one before by its digest; what any of them raised is previewed."""
    client = knows_first(17)

    assert client.survey() == chain[16]
    fetched = [path for _, path, _, _ in stub.requests[1:]]
    assert fetched == [f"/v1/manifests/{version.digest}" for version in chain[15:0:-1]]
    assert client.answer(ANSWERS) is Outcome.ODDS_RAISED
    assert client.survey() == chain[16]
    assert len(stub.requests) == 17


def test_a_device_that_missed_many_versions_catches_up_call_by_call(
    chain, knows_first, publisher_key, stub
):
    """16 are fetched in a call and kept; none is fetched twice, and none believed before all."""
    client = knows_first(19)
    assert (client.survey(), client.status().problem) == (chain[0], "behind")
    assert client.answer(ANSWERS) is Outcome.QUEUED  # by the version that it knows, as if offline
    assert (client.survey(), client.status().problem) == (chain[18], None)

    stub.publish(chain[39], publisher_key)
    assert (client.survey(), client.status().problem) == (chain[18], "behind")
    stub.script = [None, None, (0, {}, b"")]  # the network fails at the second of them
    assert (client.survey(), client.status().problem) == (chain[18], "offline")
    assert client.survey() == chain[39]
    fetched = [path for _, path, _, _ in stub.requests if path.startswith("/v1/manifests/")]
    assert fetched.pop(34) == fetched[34]
    between = [*chain[17:0:-1], *chain[38:18:-1]]
    assert fetched == [f"/v1/manifests/{version.digest}" for version in between]


def test_a_manifest_handed_on_from_far_ahead_is_followed_by_answering_again(
    chain, knows_first, publisher_key, stub, survey, store
):
    """Each refusal says that the next call goes on; a kept version that is damaged is got anew."""
    knows_first(1)
    handed = sign_manifest(chain[19].payload, publisher_key)
    later = Client(stub.link(survey), survey.publisher.key, store=store, manifest=handed)

    assert later.answer(ANSWERS) is Outcome.UNREACHABLE
    assert "call again to go on" in later.status().problem
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute(
            "UPDATE ahead SET envelope = x'00' WHERE digest = ?", (chain[10].digest,)
        )
    again = Client(stub.link(survey), survey.publisher.key, store=store, manifest=handed)
    assert again.answer(ANSWERS) is Outcome.ODDS_RAISED
    assert len(stub.requests) == 18 + 1
    assert again.status().problem.startswith("odds-raised")
    with closing(sqlite3.connect(store)) as connection:
        assert connection.execute("SELECT count(*) FROM ahead").fetchone() == (0,)


def test_no_chain_of_versions_is_followed_without_end(chain, knows_first, publisher_key, stub):
    """A newest that is too far ahead costs one request; a number out of order ends the chain."""
    far = replace(chain[1], version=2000, previous="0" * 64)
    astray = replace(chain[1], version=30, previous="1" * 64)
    newest = replace(chain[1], version=20, previous=astray.digest)
    for version, reason, requests in ((far, "1998 versions", 1), (newest, "whose number", 2)):
        client = knows_first(1)
        stub.publish(astray, publisher_key)
        stub.publish(version, publisher_key)
        assert client.survey() is None
        assert reason in client.status().problem
        assert len(stub.requests) == requests


def test_a_manifest_handed_on_is_followed_across_what_was_missed(
    chain, knows_first, publisher_key, stub, survey, store
):
    """The app's other devices may be ahead of this one."""
    knows_first(1)
    handed = sign_manifest(chain[3].payload, publisher_key)
    later = Client(stub.link(survey), survey.publisher.key, store=store, manifest=handed)

    assert later.answer(ANSWERS) is Outcome.ODDS_RAISED
    assert len(stub.requests) == 2


def test_what_cannot_be_followed_is_refused_by_name(chain, knows_first, stub, publisher_key):
    """A server that does not hold it, or gives another; too far; and offline nothing is decided."""
    other = sign_manifest(chain[2].payload, publisher_key)
    wrong = {
        "not held": ([None, problem(404, "manifest-unknown")], "does not hold the version before"),
        "another": ([None, (200, {"Content-Type": MANIFEST_TYPE}, other)], "another one"),
        "garbage": ([None, (200, {"Content-Type": MANIFEST_TYPE}, b"{}")], "envelope"),
    }
    for name, (script, reason) in wrong.items():
        client = knows_first(3)
        stub.script = script
        assert client.survey() is None, name
        assert client.status().problem.startswith("refused-manifest: "), name
        assert reason in client.status().problem, (name, client.status().problem)
    client = knows_first(3)
    stub.script = [None, (0, {}, b"")]
    assert client.survey() == chain[0]
