"""Every refusal says why: one line to the logger, once for its cause, and in `status()`."""

import logging
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

import pytest
from answers import problem

from tossup.client import Client, Outcome, answering, refusals
from tossup.client.asking import now
from tossup.client.errors import ClientError, Misconfigured, SurveyClosed
from tossup.client.testing import MemoryServer
from tossup.shared.mechanisms import RandomizedResponse
from tossup.shared.signing import sign_manifest

SENTINEL = "sentinel-7f3a9c"
ANSWER = {"ever_tried": True, "rating": "r2", "region": "north"}


@dataclass
class Device:
    """Makes clients of one device, and breaks it."""

    envelope: Callable[..., bytes]
    key: bytes
    store: Path
    monkeypatch: pytest.MonkeyPatch

    def client(self, link: str = "habits-7", key: bytes | None = None, **settings) -> Client:
        return Client(
            f"https://survey.example/v1/surveys/{link}",
            key or self.key,
            **{"store": self.store, "transport": MemoryServer(self.envelope())} | settings,
        )

    def answered(self) -> Client:
        client = self.client()
        client.answer(ANSWER)
        return client

    def with_survey(self, **changes: object) -> Client:
        return self.client(transport=MemoryServer(self.envelope(**changes)))

    def raising(self) -> Client:
        first = MemoryServer(self.envelope())
        known = self.client(transport=first).survey()
        server = MemoryServer(self.envelope(previous=known.digest, raises=True))
        client = self.client(transport=server)
        client.survey()
        return client

    def over(self) -> Client:
        return self.with_survey(closes=date(2020, 1, 1))

    def refusing(self) -> Client:
        client = self.client()
        client.consent(agrees=False)
        return client

    def under_a_file(self) -> Client:
        self.store.parent.mkdir()
        (self.store.parent / "file").touch()
        return self.client(store=self.store.parent / "file" / "store.db")

    def newer(self) -> Client:
        client = self.answered()
        with closing(sqlite3.connect(self.store)) as connection:
            connection.execute("PRAGMA user_version=99")
        return client

    def rotten(self) -> Client:
        self.store.parent.mkdir()
        self.store.write_bytes(b"rotten")
        return self.client()

    def keyless(self) -> Client:
        return Client("https://survey.example/v1/surveys/habits-7", store=self.store)

    def coinless(self) -> Client:
        self.monkeypatch.setattr(answering, "Coins", lambda: 1 // 0)
        return self.client()


#: By outcome: a device that refuses so, and the call that it refuses, if that is no answer.
REFUSING: dict[Outcome, Callable[[Device], Client]] = {
    Outcome.ALREADY_ANSWERED: Device.answered,
    Outcome.REFUSED_ANSWER: Device.client,
    Outcome.REFUSED_CAP: lambda device: device.client(publisher_cap=1),
    Outcome.ODDS_RAISED: Device.raising,
    Outcome.PREVIEW_AGAIN: Device.client,
    Outcome.REFUSED_MANIFEST: lambda device: device.client(key=bytes(32)),
    Outcome.CLOSED: Device.over,
    Outcome.NOT_OPEN: lambda device: device.with_survey(opens=date(2999, 1, 1)),
    Outcome.NOT_ASKED: Device.client,
    Outcome.NO_CONSENT: Device.refusing,
    Outcome.STORE_UNAVAILABLE: Device.under_a_file,
    Outcome.STORE_TOO_NEW: Device.newer,
    Outcome.LEDGER_DAMAGED: Device.rotten,
    Outcome.UNREACHABLE: lambda device: device.client(transport=MemoryServer(b"", online=False)),
    Outcome.MISCONFIGURED: Device.keyless,
    Outcome.FAILED: Device.coinless,
}
CALLS: dict[Outcome, Callable[[Client], Outcome]] = {
    Outcome.REFUSED_ANSWER: lambda client: client.answer({**ANSWER, "rating": SENTINEL}),
    Outcome.PREVIEW_AGAIN: lambda client: client.answer(ANSWER, manifest="0" * 64),
    Outcome.NOT_ASKED: lambda client: client.repeat({"region": "north"}),
}


@pytest.fixture
def device(survey, publisher_key, store, monkeypatch) -> Device:
    def envelope(*, raises: bool = False, **changes: object) -> bytes:
        if raises:
            dearer = RandomizedResponse(((5, 1), (1, 5)))
            first = replace(survey.questions[0], mechanism=dearer)
            changes |= {"version": 2, "questions": (first, *survey.questions[1:])}
        return sign_manifest(replace(survey, **changes).payload, publisher_key)

    refusals._warn.cache_clear()
    return Device(envelope, survey.publisher.key, store, monkeypatch)


@pytest.fixture
def lines(caplog) -> Callable[[], list[str]]:
    """Return what was logged since the last look."""
    caplog.set_level(logging.DEBUG, refusals.LOGGER)

    def look() -> list[str]:
        told = [(r.name, r.levelname) for r in caplog.records]
        assert set(told) <= {("tossup", "WARNING")}
        messages = [record.getMessage() for record in caplog.records]
        caplog.clear()
        return messages

    return look


def test_every_outcome_has_a_refusal_here():
    """A new outcome is swept as soon as there is one."""
    assert set(Outcome) - set(REFUSING) == {Outcome.QUEUED, Outcome.STORED}


@pytest.mark.parametrize("outcome", REFUSING, ids=lambda outcome: outcome.name)
def test_a_refusal_says_why_once(device, lines, outcome):
    """What, why and what next in one line, however often; the last reason is in status()."""
    client = REFUSING[outcome](device)
    call = CALLS.get(outcome, lambda client: client.answer(ANSWER))

    assert [call(client) for _ in range(3)] == [outcome] * 3
    (line,) = lines()
    assert line.startswith(f"{outcome.value}: ")
    assert line.endswith(outcome.explanation) or "Nothing was tossed. " in line
    assert line.lower().count("nothing was tossed.") <= 1, line
    told = client.status().problem
    assert line.startswith(told)
    assert (SENTINEL in f"{line}{told}", "\n" in line, lines()) == (False, False, [])


@pytest.mark.parametrize(
    "outcome", [o for o in REFUSING if o is not Outcome.FAILED], ids=lambda o: o.name
)
def test_a_refusal_comes_before_the_coins_and_the_charge(device, tossed, outcome):
    """Whatever refuses: no coin is made, and the store holds what it held."""
    client = REFUSING[outcome](device)
    call = CALLS.get(outcome, lambda client: client.answer(ANSWER))
    call(client)  # which may make the store and fetch the survey
    before, seen = _held(device.store), len(tossed)

    assert call(client) is outcome
    assert (_held(device.store), len(tossed)) == (before, seen)
    assert seen == (2 if outcome in TOSSED_BEFORE else 0)


#: Refusals of devices that have answered two questions before.
TOSSED_BEFORE = {Outcome.ALREADY_ANSWERED, Outcome.STORE_TOO_NEW}


def _held(store: Path) -> object:
    """Return every row that a refusal must leave as it is; nothing where there is no store."""
    try:
        with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as connection:
            tables = ("head", "ledger", "memory", "outbox_0")
            return [connection.execute(f"SELECT * FROM {name}").fetchall() for name in tables]
    except sqlite3.Error:
        return None


@pytest.mark.parametrize("outcome", REFUSING, ids=lambda outcome: outcome.name)
def test_strict_raises_what_is_otherwise_logged(device, lines, outcome):
    """One of both, not both."""
    client = REFUSING[outcome](device)
    lines()
    client._strict = True

    with pytest.raises(ClientError) as caught:
        CALLS.get(outcome, lambda client: client.answer(ANSWER))(client)

    assert (caught.value.outcome, lines()) == (outcome, [])


def test_a_link_without_its_key_says_so_when_the_client_is_made(device, lines):
    """No call is needed, and every call after it says the same."""
    client = device.keyless()

    assert "#key=<publisher key>" in lines()[0]
    assert client.survey() is None
    assert client.preview() is None
    assert client.flush().reason == "misconfigured"
    assert "#key=<publisher key>" in client.status().problem
    assert lines() == []
    with pytest.raises(Misconfigured, match="key="):
        Client("https://survey.example/v1/surveys/habits-7", store=device.store, strict=True)


def test_what_succeeds_ends_the_refusal(device):
    """status() speaks of the last call."""
    client = device.client()
    client.answer({"ever_tried": SENTINEL})
    client.answer(ANSWER)

    assert client.status().problem is None


def test_other_causes_are_said_as_well(device, lines):
    """Two reasons for one outcome are two lines."""
    client = device.client()
    client.answer({**ANSWER, "rating": SENTINEL})
    client.answer({"ever_tried": True})

    assert ["rating" in line for line in lines()] == [True, False]


def test_what_says_itself_what_to_do_is_logged_alone(lines):
    """A second advice says it again in other words, or says otherwise."""
    refusals._warn.cache_clear()
    for reason in ("It closed. Nothing was tossed. Set the clock", "It closed. Nothing was tossed"):
        refusals.warn_of_refusal(SurveyClosed(reason))

    whole, advised = lines()
    assert whole == "closed: It closed. Nothing was tossed. Set the clock"
    assert advised.endswith(f"Nothing was tossed. {Outcome.CLOSED.explanation}")


def test_uploads_say_why_they_stop(client, stub, lines, monkeypatch):
    """A stranger's answer, and a server's refusal for good, are logged; waiting is not."""
    monkeypatch.setattr(now, "clock", lambda: 2 * 10**9)  # no wait of a second is over by itself
    refusals._warn.cache_clear()
    client.answer(ANSWER)
    stub.script = [problem(403, "forbidden"), problem(400, "malformed"), None]

    assert (client.flush().reason, client.flush().reason) == ("forbidden", "waiting")
    assert ["forbidden" in line for line in lines()] == [True]
    assert client.flush(force=True).quarantined == 1
    assert ["refused 1 report(s) for good" in line for line in lines()] == [True]


def test_a_handler_that_raises_does_not_reach_the_app(device, monkeypatch):
    """Logging is the host app's, and may be broken."""
    monkeypatch.setattr(logging.Logger, "warning", lambda *_: 1 // 0)

    assert device.keyless().answer(ANSWER) is Outcome.MISCONFIGURED
