"""What the days of a manifest and the device's clock decide, before anything is spent."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from tossup.client import Client, Outcome
from tossup.client.asking import now
from tossup.client.errors import SurveyClosed, SurveyNotOpen
from tossup.shared.mechanisms import TwoCoin
from tossup.shared.survey import Attribute, Option
from tossup.shared.waves import Waves

ANSWERS = {"ever_tried": True, "region": "north"}
OPENS, CLOSES = date(2027, 3, 1), date(2027, 3, 31)
DAY = timedelta(1)


@pytest.fixture
def clock(monkeypatch):
    """Sets the device's clock to noon of a day."""

    def shows(day: date) -> None:
        noon = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
        monkeypatch.setattr(now, "clock", lambda: int(noon.timestamp()))

    return shows


@pytest.fixture
def device(survey, stub, store, publisher_key, clock):
    """Makes a device that has the manifest of a survey of these days, and is offline."""

    def made(opens: date | None, closes: date | None, **settings) -> Client:
        clock(OPENS)
        dated = replace(survey, id="dated", opens=opens, closes=closes)
        stub.publish(dated, publisher_key)
        client = Client(stub.link(dated), survey.publisher.key, store=store, **settings)
        assert client.survey() == dated
        stub.script = [(0, {}, b"")] * 1000
        return client

    return made


def test_every_day_is_decided_before_a_coin_is_tossed(device, clock, tossed, stub):
    """A day of grace on either side; without such days, or with the clock unset, see below."""
    client = device(OPENS, CLOSES)
    unset = [date(1970, 1, 1), date(2000, 1, 1), date(2024, 12, 31)]
    before = [OPENS - 365 * DAY, OPENS - 2 * DAY]
    after = [CLOSES + 2 * DAY, CLOSES + 30 * DAY, date(2099, 1, 1)]
    wanted = dict.fromkeys((*unset, *before), Outcome.NOT_OPEN)
    wanted |= dict.fromkeys(after, Outcome.CLOSED)
    for day, outcome in wanted.items():
        clock(day)

        assert client.answer(ANSWERS) is outcome, day
        assert client.status().closed is (outcome is Outcome.CLOSED), day
        assert client.repeat({"region": "north"}) is outcome, day

    assert tossed == []
    assert client.status().device.odds == 1
    assert not stub.reports


@pytest.mark.parametrize("day", [OPENS - DAY, OPENS, CLOSES, CLOSES + DAY], ids=str)
def test_a_clock_may_be_wrong_by_a_day(device, clock, day):
    """On the first and last day, and on the day beside each, answers are tossed."""
    client = device(OPENS, CLOSES)
    clock(day)

    assert client.answer(ANSWERS) is Outcome.QUEUED


@pytest.mark.parametrize(
    ("opens", "closes", "day", "outcome"),
    [
        (None, None, date(1970, 1, 1), Outcome.QUEUED),
        (None, CLOSES, date(1970, 1, 1), Outcome.NOT_OPEN),
        (OPENS, None, date(1970, 1, 1), Outcome.NOT_OPEN),
        (None, CLOSES, OPENS - 700 * DAY, Outcome.QUEUED),
        (OPENS, None, date(2099, 1, 1), Outcome.QUEUED),
        (None, date.max, date(2099, 1, 1), Outcome.QUEUED),
        (date.min, date.max, OPENS, Outcome.QUEUED),
    ],
)
def test_one_day_or_none_may_be_given(device, clock, opens, closes, day, outcome):
    """A clock that is not set decides nothing, and matters only where a day is given."""
    client = device(opens, closes)
    clock(day)

    assert client.answer(ANSWERS) is outcome


def test_a_wrong_clock_is_forgotten_once_it_is_right(device, clock):
    """Neither 1970 nor 2099 leaves a trace."""
    client = device(OPENS, CLOSES)
    for day in (date(1970, 1, 1), date(2099, 1, 1)):
        clock(day)
        client.answer(ANSWERS)
        client.survey()
    clock(OPENS)

    assert client.answer(ANSWERS) is Outcome.QUEUED


def test_what_was_tossed_in_time_is_sent_at_any_time(device, clock, stub):
    """The outbox asks no clock; the server decides what it counts."""
    client = device(OPENS, CLOSES)
    client.answer(ANSWERS)
    stub.script = []
    clock(CLOSES + 30 * DAY)

    assert client.survey() is None
    assert client.flush(force=True).sent == 1


def test_a_survey_that_opens_later_is_known_before(device, clock):
    """Its manifest is fetched and previewed, and answered on the day."""
    client = device(OPENS, CLOSES)
    clock(OPENS - 9 * DAY)

    assert client.survey() is not None
    assert client.preview() is not None
    assert client.answer(ANSWERS) is Outcome.NOT_OPEN
    clock(OPENS)
    assert client.answer(ANSWERS) is Outcome.QUEUED


def test_errors_name_the_days_and_what_to_do(device, clock):
    """With strict=True: which day, which clock."""
    client = device(OPENS, CLOSES, strict=True)
    for day, error, words in (
        (date(1970, 1, 1), SurveyNotOpen, "says 1970-01-01, so it is not set.*Set the clock"),
        (OPENS - 9 * DAY, SurveyNotOpen, "opens on 2027-03-01"),
        (CLOSES + 9 * DAY, SurveyClosed, "closed on 2027-03-31; this device's clock says 2027-04"),
    ):
        clock(day)
        with pytest.raises(error, match=words):
            client.answer(ANSWERS)


def test_nobody_is_asked_in_a_wave_outside_of_the_days(survey, stub, store, publisher_key, clock):
    """status().waves lists nothing to ask or to repeat where answering would be refused."""
    waves = Waves(3, OPENS, 7)
    words = {"en": "Wave"}
    wave = Attribute("wave", words, tuple(Option(name, words) for name in waves.options))
    question = replace(survey.questions[0], mechanism=TwoCoin())
    asked = replace(
        survey, id="waves", questions=(question,), attributes=(wave,), waves=waves,
        opens=OPENS, closes=OPENS + 14 * DAY,
    )  # fmt: skip
    stub.publish(asked, publisher_key)
    clock(OPENS)
    client = Client(stub.link(asked), survey.publisher.key, store=store)
    client.survey()

    assert client.status().waves.to_ask == ("ever_tried",)
    assert client.answer({"ever_tried": True}) is Outcome.QUEUED
    clock(OPENS + 8 * DAY)
    assert client.status().waves.to_repeat == ("ever_tried",)
    clock(OPENS + 16 * DAY)
    assert client.status().waves.to_ask == client.status().waves.to_repeat == ()
    assert client.repeat() is Outcome.CLOSED
