"""One question costs 9:1 at most, over all of its waves, unless the host app says otherwise."""

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest

from tossup.client import Client, Outcome
from tossup.client.errors import CapExceeded
from tossup.shared.mechanisms import PermanentInstantaneous, RandomizedResponse, TwoCoin
from tossup.shared.survey import Attribute, Option, Survey
from tossup.shared.waves import Waves

WORDS = {"en": "Words"}


def at(odds: Fraction) -> RandomizedResponse:
    keep, lie = odds.as_integer_ratio()
    return RandomizedResponse(((keep, lie), (lie, keep)))


@pytest.fixture
def asking(survey: Survey, stub, publisher_key):
    """Publishes a survey of yes/no questions by these mechanisms, in waves or once."""

    def made(*mechanisms, waves: Waves | None = None, **changes) -> Survey:
        question = survey.questions[0]
        options = tuple(Option(name, WORDS) for name in (waves.options if waves else ()))
        asked = replace(
            survey,
            id="asked",
            questions=tuple(
                replace(question, id=f"q{n}", topic=f"t{n}", mechanism=mechanism)
                for n, mechanism in enumerate(mechanisms)
            ),
            attributes=(Attribute("wave", WORDS, options),) if waves else (),
            waves=waves,
            **changes,
        )
        stub.publish(asked, publisher_key)
        return asked

    return made


def outcome(asked: Survey, stub, store, *, wave: int | None = None, **settings) -> Outcome:
    client = Client(stub.link(asked), asked.publisher.key, store=store, **settings)
    client.survey()
    return client.answer({q.id: True for q in asked.questions}, wave)


@pytest.mark.parametrize(
    ("odds", "settings", "wanted"),
    [
        (Fraction(9), {}, Outcome.QUEUED),
        (Fraction(901, 100), {}, Outcome.REFUSED_CAP),
        (Fraction(729), {}, Outcome.REFUSED_CAP),
        (Fraction(729), {"question_cap": 729}, Outcome.QUEUED),
        (Fraction(729), {"question_cap": 728}, Outcome.REFUSED_CAP),
        (Fraction(730), {"question_cap": 10**6}, Outcome.REFUSED_CAP),  # the publisher's cap
        (Fraction(3), {"question_cap": Fraction(5, 2)}, Outcome.REFUSED_CAP),
    ],
)
def test_a_dear_question_is_refused_before_a_coin_is_tossed(
    asking, stub, store, tossed, odds, settings, wanted
):
    """The default is 9; the host app may set another, and the lifetime caps stay."""
    assert outcome(asking(at(odds)), stub, store, **settings) is wanted
    assert bool(tossed) is (wanted is Outcome.QUEUED)


def test_one_dear_question_refuses_the_whole_call(asking, stub, store, tossed):
    """Others can be answered alone, where the survey's answers travel alone."""
    asked = asking(TwoCoin(), at(Fraction(81)))
    assert outcome(asked, stub, store) is Outcome.REFUSED_CAP
    assert tossed == []
    client = Client(stub.link(asked), asked.publisher.key, store=store)

    assert client.answer({"q0": True}) is Outcome.QUEUED


@pytest.mark.parametrize(
    ("mechanism", "times", "wanted"),
    [
        (TwoCoin(), None, Outcome.QUEUED),  # once for life: 3
        (TwoCoin(), 2, Outcome.QUEUED),  # 9
        (TwoCoin(), 3, Outcome.REFUSED_CAP),  # 27, from the first wave on
        (PermanentInstantaneous(2, 9, 1, 3, 1), None, Outcome.QUEUED),  # 9 for life
        (PermanentInstantaneous(2, 10, 1, 3, 1), None, Outcome.REFUSED_CAP),
    ],
)
def test_a_question_in_waves_is_counted_over_all_of_them(
    asking, stub, store, mechanism, times, wanted
):
    """What it costs for life, not what a wave costs: it is refused in the first wave."""
    asked = asking(mechanism, waves=Waves(3, date(2027, 1, 4), 7, times=times))
    waves = [outcome(asked, stub, store, wave=wave) for wave in (1, 2, 3)]

    assert waves.count(wanted) == (2 if times == 2 else 3)


def test_what_earlier_versions_cost_is_counted(asking, stub, store, publisher_key):
    """Two waves at 3:1 are spent; a version that now asks at 2:1 would make it 18:1."""
    waves = Waves(3, date(2027, 1, 4), 7, times=3)
    first = asking(at(Fraction(2)), waves=waves)
    second = asking(at(Fraction(19, 10)), waves=waves, version=2, previous=first.digest)
    stub.publish(first, publisher_key)
    for wave in (1, 2):
        assert outcome(first, stub, store, wave=wave) is Outcome.QUEUED
    stub.publish(second, publisher_key)

    assert outcome(second, stub, store, wave=3, question_cap=Fraction(75, 10)) is (
        Outcome.REFUSED_CAP  # 2 * 2 * 1.9 = 7.6, although 1.9 ** 3 is 6.9
    )
    assert outcome(second, stub, store, wave=3, question_cap=Fraction(76, 10)) is Outcome.QUEUED


def test_what_was_tossed_before_is_still_reported_and_sent(asking, stub, store):
    """A store of an app that allowed more goes on: repeating costs nothing."""
    asked = asking(at(Fraction(81)), waves=Waves(3, date(2027, 1, 4), 7))
    assert outcome(asked, stub, store, wave=1, question_cap=81) is Outcome.QUEUED
    client = Client(stub.link(asked), asked.publisher.key, store=store)

    assert client.repeat(wave=2) is Outcome.QUEUED
    assert client.flush().sent == 2


def test_the_error_names_question_cost_and_cap(asking, stub, store):
    """And how an app says that it means it."""
    with pytest.raises(
        CapExceeded, match=r"'q0' costs odds of 81 for life.*allows 9.*question_cap"
    ):
        outcome(asking(at(Fraction(81))), stub, store, strict=True)


def test_a_preview_says_what_renaming_topics_may_tell(asking, stub, store):
    """By this device's cap for a publisher."""
    asked = asking(TwoCoin())
    client = Client(stub.link(asked), asked.publisher.key, store=store)
    lower = Client(stub.link(asked), asked.publisher.key, store=store, publisher_cap=3)

    assert str(client.preview()).endswith("say the truth for 89.6 % of people")
    assert "new topics" not in str(lower.preview())
