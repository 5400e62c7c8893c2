"""Made-up respondents have the shares that are asked for, and report as devices do."""

import itertools
import tracemalloc
from collections import Counter
from contextlib import suppress
from fractions import Fraction
from math import log, sqrt
from unittest import mock

import every_kind
import numpy as np
import pytest
from alarms import standard_errors
from hypothesis import given
from hypothesis import strategies as st

from tossup.server.catalogue import answers_of, channel, design, is_listable
from tossup.server.estimation import estimate_vector
from tossup.server.kernels import kernel_of
from tossup.server.kernels.base import numbers
from tossup.server.kernels.slots import all_buckets, buckets_of
from tossup.server.kernels.tossing import noise, rounding
from tossup.server.kernels.tossing.source import seeded
from tossup.server.kinds import toss
from tossup.server.kinds.made_up import people as made_up
from tossup.shared.errors import MechanismError
from tossup.shared.kinds.several import Several
from tossup.shared.kinds.vector import VectorAnswer
from tossup.shared.mechanisms import (
    MECHANISMS,
    EntryGaussian,
    EntryLaplace,
    HadamardResponse,
    PerOptionBits,
    PrefixExtending,
    PrivUnit,
    SubsetSelection,
    SymmetricUnary,
    TwoCoin,
    VectorLaplace,
)
from tossup.shared.survey import Option, Question


def fractions(*texts):
    return tuple(map(Fraction, texts))


def small(name):
    """Return a design for five answers, or for as many as the mechanism is for."""
    try:
        return design(name, 5, Fraction(3))
    except MechanismError:
        return design(name, 2, Fraction(3))


def largest(name, odds):
    """Return a design for 1,024 answers, or for the most that the mechanism is for."""
    for answers in (1024, 256, 64, 25, 9, 2):
        with suppress(MechanismError):
            return design(name, answers, odds)
    return MECHANISMS[name].examples()[-1]


#: Seconds go into the tables of its designs, and none into tossing.
SLOW = {"staircase/1"}
VECTORS = (VectorLaplace(1, 4, 9), VectorLaplace(2, 1, 3), EntryLaplace(2, 1, 2, 4))


def everyone(answer):
    return made_up.Population((answer,), (Fraction(1),))


def test_it_works():
    """Everyone says yes: three of four reports do, as two coins let them."""
    question = Question("tried", "tried", {}, (), TwoCoin())
    with seeded(1):
        reports = toss(question, made_up.of_options(fractions(0, 1)), 40_000)

    assert abs(reports.sum(dtype=int) / 40_000 - 0.75) < 5 * sqrt(3 / 16 / 40_000)


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
    """The three shares of 1e5 respondents are within 5.1 standard errors: wrong once in 1e6."""
    population = made_up.of_options(fractions("1/2", "3/10", "1/5", "0"))
    with seeded(2):
        found = Counter(population.draw(100_000).tolist())

    assert 0 == found[3]
    for place, share in enumerate(population.shares):
        error = sqrt(share * (1 - share) / 100_000)
        assert abs(found[place] / 100_000 - share) <= standard_errors(3) * error


def value_of(mechanism, row):
    """Return a report of a column as a number."""
    return int.from_bytes(np.atleast_1d(row).tobytes(), "little")


def tossed(mechanism, answer, n):
    """Return how often each report comes of n that are tossed in bulk for one answer."""
    with seeded(answer):
        column = kernel_of(mechanism).perturb_each([answer], np.zeros(n, dtype=np.int64))
    return np.bincount(numbers(column), minlength=mechanism.reports)


def follows(counts, chances, cells):
    """Return whether no count is too far from its chance, wrongly refused 1 time in a million.

    Chernoff: n times Kullback and Leibler's divergence of what is found from the chance exceeds x
    with a chance of at most 2 exp(-x); x leaves each of the cells its part of the million.
    """
    n, chances = counts.sum(), np.array(chances, dtype=float)
    found, far = counts / n, np.zeros(len(counts))
    with np.errstate(divide="ignore", invalid="ignore"):
        for part, of in ((found, chances), (1 - found, 1 - chances)):
            far += np.where(part > 0, part * np.log(part / of), 0)
    return (n * far <= log(2 * cells / 1e-6)).all()


def test_reports_of_many_follow_the_channel_of_one():
    """Bulk tossing is the mechanism's own channel, cell by cell, for all that can be listed."""
    cells = 0
    for made in (*filter(is_listable, map(small, MECHANISMS)), *VECTORS):
        for answer, row in zip(answers_of(made), channel(made), strict=True):
            cells += len(row)

            assert follows(tossed(made, answer, 20_000), row, 20_000), (made, answer)
    assert 2_000 < cells < 20_000


def test_reports_about_texts_follow_the_channel_of_one():
    """Slot, bucket and what the oracle makes of it, for numbers and for masks."""
    for oracle in (HadamardResponse(3), SubsetSelection(4, 2), SymmetricUnary(3, 2, 1)):
        made = PrefixExtending(2, (1, 2), rows=2, oracle=oracle)
        chances = [made.probability(5, report) for report in range(made.reports)]

        assert follows(tossed(made, 5, 40_000), chances, 20_000), made


def test_buckets_of_many_texts_are_those_of_one():
    """Whatever texts share, and with more rows than one digest is good for."""
    for rows in (2, 8, 11):
        made = PrefixExtending(5, (1, 3, 4), rows=rows, oracle=HadamardResponse(7), salt=9)
        texts = (0, 5, 77, 1000, 1295)
        each = [buckets_of(made, text).tolist() for text in texts]

        assert each == all_buckets(made, texts).tolist()


def test_normal_noise_in_bulk_has_the_weights_of_its_formula():
    """exp(-k**2 / (2 sigma**2)) over the sum of all."""
    made = EntryGaussian(1, 1, window=60, squared=9)
    weights = np.exp(-(np.arange(-60, 61) ** 2) / 18)

    assert follows(tossed(made, 1, 100_000), weights / weights.sum(), 20_000)


def test_directions_in_bulk_have_the_means_of_devices():
    """PrivUnit has no channel to compare with: every mean is estimated without bias.

    Respondents with opposite answers sit side by side, and each has a report of their own answer.
    Within 5.4 standard errors: one of fourteen misses 1 time in a million.
    """
    for made in (PrivUnit(2, 16, cap=9216), PrivUnit(5, 64, cap=0, keep=9)):
        vector = VectorAnswer(
            tuple("abcde"[: made.dimension]), Fraction(1), Fraction(1, made.radius)
        )
        point = [made.radius // 2, -made.radius // 4, *[0] * (made.dimension - 2)]
        with seeded(3):
            column = kernel_of(made).perturb_points(np.array([point, np.negative(point)] * 200_000))
        for sign, reports in ((1, column[::2]), (-1, column[1::2])):
            found = estimate_vector(kernel_of(made).count(reports).tolist(), made, vector)
            for mean, steps in zip(found.means, point, strict=True):
                off = abs(mean.value - sign * steps / made.radius)

                assert off <= standard_errors(14) * mean.standard_error, (made, mean)


@pytest.mark.prove
def test_bulk_tossing_needs_memory_for_its_reports_alone():
    """Whatever the mechanism and however many answers: no table of all reports that could be.

    Local hashing of 1,024 options at odds of 81 has 571,787 reports, and 9 GB of pairs of an option
    and a report outside of its block.
    """
    for name, odds in itertools.product(MECHANISMS.keys() - SLOW, (Fraction(101, 100), 81)):
        made = largest(name, Fraction(odds))
        tracemalloc.start()
        column = kernel_of(made).perturb_each([0, 1], np.arange(1000) % 2)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()

        assert 1000 == len(column)
        assert peak < 200e6, (made, peak)


def test_who_is_outside_a_block_is_found_by_rank():
    """Every stranger of every option has its own rank, from the lowest report to the highest."""
    for name in ("hadamard-response/1", "projective-geometry-response/1", "local-hashing/1"):
        for options, odds in itertools.product((2, 5, 16), (Fraction(101, 100), Fraction(9))):
            made = design(name, options, odds)
            kernel = kernel_of(made)
            for option, block in enumerate(kernel.members):
                outside = np.setdiff1d(np.arange(made.reports), block)
                found = kernel.strangers(np.full(len(outside), option), np.arange(len(outside)))

                assert outside.tolist() == found.tolist(), (made, option)


def test_what_64_digits_leave_undecided_more_digits_decide(monkeypatch):
    """A number whose first word is the threshold's own is below or above it by its next word."""
    third = Fraction(1, 3)

    def thresholds(words):
        return [third.numerator * 2 ** (64 * words) // 3], [2 ** (64 * words) // 3 + 1]

    first = 2**64 // 3
    words = iter([first, 0, first, 2**64 - 1, first, first, 5])
    monkeypatch.setattr(noise, "random_bytes", lambda _: next(words).to_bytes(8, "little"))

    assert [0, 1, 0] == [int(noise.reached(thresholds, 1)[0]) for _ in range(3)]
    words = iter([0, 2**64 - 1])
    assert noise._happens(1, 3, first)
    assert not noise._happens(1, 3, first)


def test_a_place_between_points_goes_up_as_often_as_it_lies_above():
    """Exactly: the words that are drawn are compared with those of the fraction, to the last."""
    place = Fraction(3) + Fraction(1, 2**40) + Fraction(1, 2)
    words = [2**31, 2**24 - 1, 2**31, 2**24]
    for drawn, point in (
        ([2**31 - 1], 4),
        ([2**31 + 1], 3),
        (words[:2], 4),
        ([*words[2:], 0, 0], 3),
    ):
        coming = [np.array([word]) for word in drawn]
        with mock.patch.object(rounding, "uniform_below", side_effect=coming):
            assert [point] == rounding.rounded([place], np.array([0])).tolist()


def test_every_kind_of_question_has_reports():
    """Whatever is asked, what is made up is a report that the server's kernel takes."""
    for survey in every_kind.surveys(bytes(32)):
        for question in survey.questions:
            answer, mechanism = every_kind.ANSWERS[question.id], question.mechanism
            column = toss(question, made_up.of_answers(question, [answer]), 20)

            assert kernel_of(mechanism).admits(column), question.id
            assert all(mechanism.is_report(value_of(mechanism, row)) for row in column), question.id


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
    """Their bits are more than a signed index holds."""
    options = tuple(Option(f"o{place}", {}) for place in range(64))
    question = Question(
        "s",
        "s",
        {},
        options,
        PerOptionBits(64, most=4),
        Several(tuple(option.id for option in options), 4),
    )

    assert (3, 8) == toss(question, everyone(1 << 63), 3).shape
