"""Made-up respondents have the shares that are asked for, and report as devices do."""

from collections import Counter
from fractions import Fraction
from math import sqrt

import every_kind
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tossup.server import made_up
from tossup.server.catalogue import answers_of, channel, design, is_listable
from tossup.server.kernels import kernel_of
from tossup.server.kernels.source import seeded
from tossup.server.made_up import TossesMany
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms import MECHANISMS, PerOptionBits, TwoCoin
from tossup.shared.several import Several
from tossup.shared.survey import Option, Question


def fractions(*texts):
    return tuple(map(Fraction, texts))


def small(name):
    """Return a design for five answers, or for as many as the mechanism is for."""
    try:
        return design(name, 5, Fraction(3))
    except MechanismError:
        return design(name, 2, Fraction(3))


def everyone(answer):
    return made_up.Population((answer,), (Fraction(1),))


def test_it_works():
    """Everyone says yes: three of four reports do, as two coins let them."""
    question = Question("tried", "tried", {}, (), TwoCoin())
    with seeded(1):
        reports = made_up.reports(question, made_up.of_options(fractions(0, 1)), 40_000)

    assert abs(sum(reports) / 40_000 - 0.75) < 5 * sqrt(3 / 16 / 40_000)


@given(st.lists(st.fractions(0, 1, max_denominator=50), min_size=1, max_size=6))
def test_ticks_have_the_shares_asked_for(shares):
    """Exactly, for any shares; and nobody ticks more than the next whole number above their sum."""
    most = max(1, -(-sum(shares).numerator // sum(shares).denominator))
    population = made_up.of_ticks(shares, most)

    for option, share in enumerate(shares):
        ticked = [place >> option & 1 for place in population.places]
        assert share == np.dot(ticked, population.shares)
    assert max(place.bit_count() for place in population.places) <= most


def test_a_sample_is_of_the_population():
    """The shares of 1e5 respondents are within 5.2 standard errors: wrong 1 time in 5 million."""
    population = made_up.of_options(fractions("1/2", "3/10", "1/5", "0"))
    with seeded(2):
        found = Counter(population.draw(100_000).tolist())

    assert 0 == found[3]
    for place, share in enumerate(population.shares):
        error = sqrt(share * (1 - share) / 100_000)
        assert abs(found[place] / 100_000 - share) <= 5.2 * error


def test_reports_of_many_follow_the_channel_of_one():
    """Bulk tossing is the mechanism's own channel: each chance within 5.5 standard errors.

    Of some 2,000 chances compared one is farther off by chance 1 time in 10,000 runs; a seed fixes
    the run.
    """
    n = 20_000
    for made in filter(is_listable, map(small, MECHANISMS)):
        if not isinstance(kernel_of(made), TossesMany):
            continue
        question = Question("q", "q", {}, (), made)
        for answer, row in zip(answers_of(made), channel(made), strict=True):
            with seeded(answer):
                found = Counter(made_up.reports(question, everyone(answer), n))
            for report, chance in enumerate(map(float, row)):
                error = sqrt(chance * (1 - chance) / n)

                assert abs(found[report] / n - chance) <= 5.5 * error, (made, answer, report)


def test_every_kind_of_question_has_reports():
    """Whatever is asked, what is made up is a report that the server's kernel takes."""
    for survey in every_kind.surveys(bytes(32)):
        for question in survey.questions:
            answer = every_kind.ANSWERS[question.id]
            reports = made_up.reports(question, made_up.of_answers(question, [answer]), 20)

            assert all(question.mechanism.is_report(report) for report in reports), question.id


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: made_up.of_options(fractions("1/2", "1/3")), "sum of 1"),
        (lambda: made_up.of_options(fractions("3/2", "-1/2")), "from 0 to 1"),
        (lambda: made_up.of_ticks(fractions("1/2", "3/4"), 1), "at most 1"),
        (lambda: made_up.of_options((Fraction(1, 2**40), 1 - Fraction(1, 2**40))), "round them"),
    ],
)
def test_what_is_no_population_is_refused(make, said):
    """Before anything is tossed, with the rule."""
    with pytest.raises(ValueError, match=said):
        make()


def test_sets_of_64_options_are_tossed():
    """Their bits are more than an index of an array holds; each is tossed as a device does."""
    options = tuple(Option(f"o{place}", {}) for place in range(64))
    question = Question(
        "s",
        "s",
        {},
        options,
        PerOptionBits(64, most=4),
        Several(tuple(option.id for option in options), 4),
    )

    assert len(made_up.reports(question, everyone(1 << 63), 3)) == 3
