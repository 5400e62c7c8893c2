"""The chance for which odds do not hold: shown before, charged exactly, capped for life."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from fractions import Fraction

import pytest

from tossup.client import Client, Outcome, answering
from tossup.client.settings import DELTA_CAP
from tossup.server.surveys import file as surveys
from tossup.shared.kinds.number import Grid
from tossup.shared.mechanisms import DiscreteGaussian
from tossup.shared.survey import Question

MILLIONTH = Fraction(1, 10**6)
NORMAL = DiscreteGaussian.for_odds(11, Fraction(2), MILLIONTH)


@pytest.fixture
def asking(stub, survey, store, publisher_key):
    """Publish a survey of so many questions with normal noise, and return its client."""

    def published(questions: int, mechanism=NORMAL, name: str = "hours", **settings) -> Client:
        grid = Grid.integers(0, 10)
        asked = tuple(
            Question(f"q{n}", f"{name}-{n}", {"en": "How many?"}, (), mechanism, grid)
            for n in range(questions)
        )
        made = replace(survey, id=name, questions=asked, attributes=())
        stub.publish(made, publisher_key)
        caps = {"publisher_cap": 3**40, "device_cap": 3**40} | settings
        return Client(stub.link(made), made.publisher.key, store=store, **caps)

    return published


@pytest.fixture
def no_toss(monkeypatch):
    """Makes any toss a failure of the test."""
    monkeypatch.setattr(answering, "Coins", lambda: pytest.fail("a coin was tossed"))


def test_it_is_charged_exactly_and_added_up(asking):
    """Odds multiply and chances add, to the last digit; the ledger keeps each entry's own."""
    client = asking(3)
    first = client.answer({"q0": 3})
    client.answer({"q1": 0, "q2": 10})
    spent = client.status()

    assert Outcome.QUEUED == first
    assert (8, 3 * NORMAL.delta) == (spent.publisher.odds, spent.publisher.delta)
    assert (3 * NORMAL.delta, DELTA_CAP) == (spent.device.delta, spent.device.delta_cap)
    assert 3 == client.flush().sent


def test_a_survey_without_one_spends_none(client):
    """Two coins keep their odds without exception."""
    client.answer({"ever_tried": True, "region": "north"})
    spent = client.status().device

    assert 0 == spent.delta
    assert "odds 3:1 of 6561:1, for life" == str(spent)


def test_status_says_it_in_plain_words(asking):
    """A host app can show the line as it is."""
    client = asking(1)
    client.answer({"q0": 3})

    spent = str(client.status().device)
    assert spent.startswith("odds 2:1 of ")
    assert spent.endswith(
        "for life, but for a chance of at most 1 in 1,000,225 (of 1 in 100,000) that more was told"
    ), spent


def test_a_preview_says_it_before_any_toss(asking, no_toss):
    """By question, and all together, with the exact figures beside."""
    shown = asking(2).preview()

    assert [NORMAL.delta] * 2 == [question.delta for question in shown.questions]
    assert 2 * NORMAL.delta == shown.delta
    assert "(at most 2:1, but for a chance of at most 1 in 1,000," in str(shown)
    assert "all together: at most 4:1 (epsilon 1.3863), but for a chance of at most 1 in" in str(
        shown
    )


def test_a_preview_of_pure_mechanisms_names_no_chance(client):
    """Where the odds hold without exception nothing else is said."""
    shown = client.preview()

    assert 0 == shown.delta
    assert "chance" not in str(shown)


@pytest.mark.parametrize(
    ("cap", "allowed"),
    [(0, 0), (NORMAL.delta - Fraction(1, 10**30), 0), (NORMAL.delta, 1), (3 * NORMAL.delta, 3)],
    ids=str,
)
def test_the_cap_is_kept_to_the_last_digit(asking, cap: Fraction, allowed: int):
    """As many answers as the cap allows, and then none, whatever the odds' caps allow."""
    client = asking(4, delta_cap=cap)
    outcomes = [client.answer({f"q{n}": 5}) for n in range(4)]

    assert [Outcome.QUEUED] * allowed + [Outcome.REFUSED_CAP] * (4 - allowed) == outcomes
    assert allowed * NORMAL.delta == client.status().device.delta


def test_a_refusal_tosses_nothing_and_spends_nothing(asking, no_toss):
    """The whole call is refused, and says what is spent, in words."""
    client = asking(2, delta_cap=NORMAL.delta, strict=True)

    with pytest.raises(Exception, match="a report would tell more") as refusal:
        client.answer({"q0": 1, "q1": 1})
    assert refusal.value.outcome is Outcome.REFUSED_CAP
    assert (1, 0) == (client.status().device.odds, client.status().device.delta)


def test_by_default_a_device_takes_ten_of_one_in_a_million_for_life(asking):
    """Whoever asks: the cap is the device's, over all publishers and surveys."""
    outcomes = [asking(6).answer({f"q{n}": 5}) for n in range(6)]
    outcomes += [asking(6, name="more").answer({f"q{n}": 5}) for n in range(6)]

    assert Fraction(1, 100_000) == DELTA_CAP == surveys.DELTA_CAP
    assert [Outcome.QUEUED] * 10 + [Outcome.REFUSED_CAP] * 2 == outcomes


def test_a_large_one_is_refused_at_once(asking, no_toss):
    """One in a hundred is refused by every device that was not told otherwise."""
    careless = DiscreteGaussian.for_odds(11, Fraction(2), Fraction(1, 100))

    assert Outcome.REFUSED_CAP == asking(1, careless).answer({"q0": 5})


def test_a_spent_cap_does_not_stop_surveys_without_a_chance(asking, client):
    """What others have used up is not charged to those that need none of it."""
    asking(1, delta_cap=NORMAL.delta).answer({"q0": 5})

    assert Outcome.QUEUED == client.answer({"ever_tried": True, "region": "north"})


def test_a_lowered_cap_counts_what_was_spent_before(asking):
    """The ledger remembers chances for life, as it does odds."""
    asking(2).answer({"q0": 5})

    assert Outcome.REFUSED_CAP == asking(2, delta_cap=NORMAL.delta).answer({"q1": 5})


def test_the_ledger_holds_it_as_an_exact_ratio(asking, store):
    """No float, no rounding: the text is the fraction."""
    asking(1).answer({"q0": 5})
    with closing(sqlite3.connect(store)) as connection:
        kept = connection.execute("SELECT odds, delta FROM ledger").fetchall()

    assert [("2", str(NORMAL.delta))] == kept
