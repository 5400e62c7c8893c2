"""The server's day is one, for what it stores and what it shows, and it never goes back."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest
from flask import Flask

import tossup.server
from tossup.server.ingest.known_day import note_day
from tossup.server.store import Store, open_store
from tossup.server.surveys.lifecycle import publish
from tossup.server.web.app import create_app
from tossup.shared.signing import sign_manifest
from tossup.shared.survey import Survey
from tossup.shared.wire import encode_batch

DAY = date(2026, 3, 14)
#: What reads the machine's clock for a day.
CLOCK = re.compile(r"clock import .*\btoday\b|now\(UTC\)\.date\(\)|date\.today\(")


@pytest.fixture
def day() -> list[date]:
    return [DAY]


@pytest.fixture
def app(config, day: list[date]) -> Iterator[Flask]:
    """A server whose clock is `day`, which it noted; it deletes nothing by itself."""
    store = open_store(config, day=lambda: day[0])
    note_day(store, day[0])
    app = create_app(config, store=store, reading=True)
    yield app
    app.extensions["tossup"].close()


@pytest.fixture
def surveys(app: Flask, survey: Survey, publisher_key) -> dict[str, Survey]:
    """One that has ended, and one whose results everybody sees a day late."""
    store = app.extensions["tossup"].store
    public = replace(survey, results="public")
    found = {
        "over": replace(public, id="over", closes=DAY - timedelta(1), late_days=0),
        "daily": replace(public, id="daily", shown="daily"),
    }
    for made in found.values():
        publish(store, sign_manifest(made.payload, publisher_key))
    return found


def test_a_clock_that_is_set_back_moves_no_day(
    app: Flask, day: list[date], surveys: dict[str, Survey], make_batch
) -> None:
    """What is over stays over; what comes counts today, and is shown tomorrow, as before."""
    services, daily = app.extensions["tossup"], surveys["daily"]
    owner = app.test_client()
    owner.set_cookie(services.auth.cookie, services.auth.begin_session(None))
    set_to(services.store, day, DAY - timedelta(1))
    services.ingest.receive(encode_batch(make_batch((0, 1) * 20, of=daily), daily))
    set_to(services.store, day, DAY)
    before = told(app, owner)
    for back in (1, 40, 4000):
        day[0] = DAY - timedelta(back)
        assert before == told(app, owner), back
    services.ingest.receive(encode_batch(make_batch((1,), of=daily), daily))

    assert ("closed", 40) == (before["state"], before["shown"])
    assert 40 == told(app, owner)["shown"]
    assert DAY == services.store.last_day("daily")
    assert "14 March 2026" in before["/surveys/daily/methods"]


def set_to(store: Store, day: list[date], to: date) -> None:
    """Set a clock that is right."""
    day[0] = to
    store.note_day(to, confirmed=True)


def told(app: Flask, owner) -> dict[str, object]:
    """Return what a server tells of its surveys: of one that is over, and of one shown daily."""
    shown = app.test_client().get("/v1/surveys/daily/results").json
    pages = ("/", "/surveys/daily", "/surveys/daily/methods", "/surveys/over/close")
    return {
        "state": app.extensions["tossup"].store.survey("over").state,
        "shown": shown["questions"][0]["n"],
        **{page: owner.get(page).text for page in pages},
    }


def test_a_day_that_is_confirmed_counts_though_it_is_earlier(app: Flask, day: list[date]) -> None:
    """After a clock that went ahead for some days: it is seen by every process that looks."""
    store = app.extensions["tossup"].store
    day[0] = DAY - timedelta(3)
    assert DAY == store.today()
    store.note_day(day[0], confirmed=True)

    assert day[0] == store.today()


def test_whatever_has_a_store_asks_it_for_the_day() -> None:
    """No room above the store reads the clock for a day of its own."""
    rooms = ("archives", "ingest", "results", "surveys", "web")
    files = [f for room in rooms for f in (Path(tossup.server.__path__[0]) / room).rglob("*.py")]
    found = {file.name: CLOCK.findall(file.read_text()) for file in files}

    assert len(files) > 100
    assert {name: lines for name, lines in found.items() if lines} == {}
