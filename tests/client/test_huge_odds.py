"""What was spent may have any number of digits: refusals, status and ledger still say it."""

import sys
from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest

from tossup.client import Client, Outcome
from tossup.client.store import ledger
from tossup.client.store.database import Database
from tossup.client.store.ledger import Entry
from tossup.shared.kinds.number import Grid
from tossup.shared.mechanisms import RandomizedResponse, TruncatedGeometric
from tossup.shared.survey import WAVE, Attribute, Option, Survey
from tossup.shared.waves import Waves

ODDS = Fraction(1001, 1000)
QUESTIONS, WAVES = 8, 256


@pytest.fixture
def nearly(survey: Survey) -> Survey:
    """Eight questions at odds 1001/1000 over 256 waves: all odds together have 6,145 digits."""
    waves = Waves(WAVES, date(2027, 1, 4), 7, times=WAVES)
    words = {"en": "Wave"}
    question = replace(
        survey.questions[0], mechanism=RandomizedResponse(((1001, 1000), (1000, 1001)))
    )
    return replace(
        survey,
        id="nearly",
        questions=tuple(replace(question, id=f"q{n}", topic=f"t{n}") for n in range(QUESTIONS)),
        attributes=(Attribute(WAVE, words, tuple(Option(w, words) for w in waves.options)),),
        waves=waves,
    )


def _spend(store, survey: Survey, waves: int) -> None:
    """Write what a device that answered everything in so many waves has in its ledger."""
    entries = [
        Entry(survey.publisher.key.hex(), q.topic, survey.id, survey.digest, q.id, ODDS, wave=wave)
        for wave in range(1, waves + 1)
        for q in survey.questions
    ]
    Database(str(store)).run(lambda c: ledger.append(c, ledger.read(c), entries))


def test_settings_and_answers_of_any_length_are_taken(survey, stub, store, publisher_key):
    """Caps of 5,000 digits are shown, numbers of as many count as the bound, waves are refused."""
    grid = Grid.integers(0, 10)
    number = replace(
        survey.questions[0], domain=grid, mechanism=TruncatedGeometric.for_odds(11, Fraction(3))
    )
    asked = replace(survey, id="number", questions=(number,), attributes=())
    stub.publish(asked, publisher_key)
    huge = 10**5000
    client = Client(
        stub.link(asked), asked.publisher.key, store=store, question_cap=huge,
        publisher_cap=huge, device_cap=Fraction(huge, 3),
    )  # fmt: skip
    client.survey()

    assert client.answer({"ever_tried": huge}, wave=huge) is Outcome.REFUSED_ANSWER
    assert client.answer({"ever_tried": Fraction(huge, 3)}) is Outcome.REFUSED_ANSWER
    assert client.answer({"ever_tried": huge}) is Outcome.QUEUED
    assert str(client.status().device) == "odds 3:1 of about 3.34e+4999:1, for life"
    assert str(client.status().publisher) == "odds 3:1 of about 1.00e+5000:1, for life"
    assert "at most 400 answers" in str(client.preview())


def test_a_refusal_by_the_cap_is_one_however_long_the_odds_are(nearly, stub, store, publisher_key):
    """After 255 waves the odds spent have 6,121 digits; the last wave is refused, by the cap."""
    stub.publish(nearly, publisher_key)
    cap = ODDS ** (QUESTIONS * (WAVES - 1))
    client = Client(stub.link(nearly), nearly.publisher.key, store=store, publisher_cap=cap)
    assert client.survey() == nearly
    _spend(store, nearly, WAVES - 1)
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    try:
        outcome = client.answer({q.id: True for q in nearly.questions}, wave=WAVES)
        said = str(client.status().publisher), str(client.status().device), str(client.preview())
    finally:
        sys.set_int_max_str_digits(before)

    assert outcome is Outcome.REFUSED_CAP
    assert said[0].startswith("odds about 7.69:1 of about 7.69:1, for life")
    assert "all together: at most about 7.75:1" in said[2]
