"""The server in memory, for the tests of host apps: it misbehaves as a real one does."""

import re
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from tossup.client import Client, Outcome
from tossup.client.testing import MemoryServer, clock_at, example_survey
from tossup.shared.signing import public_bytes, sign_manifest
from tossup.shared.waves import Waves

LINK = "https://survey.example/v1/surveys/example"
YES = {"question": True}
GUIDE = Path(__file__).parents[2] / "docs/how-to/ask-again.md"


@pytest.fixture
def app(publisher_key, store):
    """A server in memory and a device that knows it."""

    def made(waves: Waves | None = None) -> tuple[MemoryServer, Client]:
        survey = example_survey(public_bytes(publisher_key), waves)
        server = MemoryServer(sign_manifest(survey.payload, publisher_key))
        key = public_bytes(publisher_key)
        return server, Client(LINK, key, store=store, transport=server)

    return made


def test_it_closes(app):
    """A closed survey is neither fetched nor answered; what was tossed is refused for good."""
    server, client = app()
    assert client.answer(YES) is Outcome.QUEUED
    server.closed = True

    assert client.flush().quarantined == 1
    assert client.survey() is None
    assert client.answer(YES) is Outcome.CLOSED


def test_it_is_busy_for_a_while(app):
    """503 with Retry-After: the report waits, and goes when the clock has moved on."""
    server, client = app()
    with clock_at(datetime(2027, 1, 1, tzinfo=UTC)):
        client.answer(YES)
        server.busy, server.retry_after_seconds = 503, 60
        result = client.flush()
        assert (result.pending, result.reason) == (1, "busy")
        assert 60 <= result.retry_after_seconds <= 120
        server.busy = None
        assert client.flush().reason == "waiting"
    with clock_at(datetime(2027, 1, 1, 0, 2, 1, tzinfo=UTC)):
        assert client.flush().sent == 1


def test_it_takes_bodies_of_a_size(app, publisher_key, tmp_path):
    """413: a report that does not fit by itself is set aside, and counted."""
    server, client = app(Waves(8, date(2027, 1, 4), 7))
    client.answer(YES, wave=1)
    for wave in range(2, 9):
        client.repeat(wave=wave)
    server.largest_body = 10

    assert client.flush().quarantined == 8


def test_it_knows_every_version_that_it_was_given(app, publisher_key):
    """Reports of a device that has not fetched the new version are counted for the old one."""
    server, client = app()
    first = client.survey()
    client.answer(YES)
    second = replace(first, version=2, previous=first.digest, retention_days=30)
    server.envelope = sign_manifest(second.payload, publisher_key)

    assert client.flush().sent == 1
    assert [report.manifest for report in server.reports.values()] == [first.digest]
    assert client.survey() == second


def test_the_guide_asks_a_fresh_device_in_every_wave(app):
    """The lines of the guide, each week of two, on a device that has never seen the survey."""
    server, client = app(Waves(3, date(2027, 1, 4), 7))
    lines = re.search(r"```python\n(client\.survey.*?)```", GUIDE.read_text(), re.DOTALL)[1]
    lines = lines.replace('"ever_tried"', '"question"').replace(', "region": "north"', "")
    lines = lines.replace('{"region": "north"}', "{}")
    for day in (5, 12, 13):
        with clock_at(datetime(2027, 1, day, tzinfo=UTC)):
            exec(lines, {"client": client, "tried": True})

    assert sorted(report.wave for report in server.reports.values()) == [1, 2]
