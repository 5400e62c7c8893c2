"""The share of yes from numbers of red cards."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from sweeps import each

from tossup.server.estimation import (
    EstimationError,
    anytime_interval,
    estimate_answers,
    estimate_counts,
    estimate_moments,
    estimate_share,
    kuk,
)
from tossup.server.estimation.shares.cards import CardsShare
from tossup.server.kinds.made_up.simulated import tally
from tossup.shared.mechanisms import Kuk, RandomizedResponse, RankedChoice

DESIGNS = [
    Kuk(2, ((2, 1), (1, 2))),
    Kuk(2, ((1, 2), (2, 1))),
    Kuk(3, ((4, 1), (2, 3))),
    Kuk(5, ((46, 37), (37, 46))),
]


def chances(mechanism: Kuk, share: Fraction) -> list[Fraction]:
    """How likely each number of red cards is, for a respondent from a population."""
    no, yes = mechanism.channel()
    return [(1 - share) * p + share * q for p, q in zip(no, yes, strict=True)]


def test_it_works():
    """A third red for no, two thirds for yes, and 99 reports with 79 of 198 red: 2/11."""
    share = CardsShare((40, 39, 20), Kuk(2, ((2, 1), (1, 2))))

    assert Fraction(79, 198) * 3 - 1 == share.exact
    assert share.named is None


@each("mechanism", DESIGNS)
@each("truth", [Fraction(0), Fraction(1, 5), Fraction(1, 2), Fraction(1)])
def test_the_estimate_is_unbiased_with_its_variance(mechanism: Kuk, truth: Fraction):
    """What a report counts for has the true share as its mean, and the planned variance."""
    no, yes = mechanism.red
    scores = [(Fraction(y, mechanism.cards) - no) / (yes - no) for y in range(mechanism.cards + 1)]
    mixed = chances(mechanism, truth)
    mean = sum(p * s for p, s in zip(mixed, scores, strict=True))
    variance = sum(p * s**2 for p, s in zip(mixed, scores, strict=True)) - mean**2

    assert truth == mean
    assert mechanism.variance_at(truth) == variance <= mechanism.largest_variance


def test_it_agrees_with_the_designs_of_papers():
    """Value and standard error are those of `estimate_moments` for the same cards."""
    mechanism = Kuk(5, ((13, 7), (5, 15)))
    counts = (30, 120, 210, 260, 200, 80)
    own = CardsShare(counts, mechanism)
    known = estimate_moments(counts, kuk(yes="3/4", no="7/20", draws=5))

    assert known.exact == own.exact
    assert known.standard_error * (899 / 900) ** 0.5 == pytest.approx(own.standard_error)


@pytest.mark.parametrize("counts", [(80, 15, 5), (0, 0, 7), (30, 30, 30), (1, 0, 0)], ids=str)
def test_the_score_interval_inverts_its_test(counts):
    """At both ends the estimate is exactly z standard deviations away, under that end.

    Ends beyond 0 and 1 have the variance at 0 and 1.
    """
    share = CardsShare(counts, Kuk(2, ((2, 1), (1, 2))))
    interval = share.interval()
    for end in (interval.low, interval.high):
        possible = Fraction(min(max(end, 0), 1))
        variance = float(share.mechanism.variance_at(possible))

        assert abs(share.value - end) == pytest.approx(
            1.959963984540054 * (variance / share.n) ** 0.5
        )


@pytest.mark.parametrize("truth", [0.0, 0.1, 0.5, 1.0])
def test_exact_intervals_never_cover_too_little(truth: float):
    """Over all numbers of red cards that 12 reports can have, by their exact distribution."""
    mechanism = Kuk(2, ((3, 1), (1, 3)))
    mixed = np.array([float(c) for c in chances(mechanism, Fraction(truth))])
    total = np.array([1.0])
    for _ in range(12):
        total = np.convolve(total, mixed)
    covered = 0.0
    for red, chance in enumerate(total):
        ones = red % 2
        counts = (12 - ones - red // 2, ones, red // 2)
        covered += chance * (truth in CardsShare(counts, mechanism).interval(0.9, "exact"))

    assert covered >= 0.9


def test_exact_intervals_are_those_of_binomials_where_cards_are_one_deck():
    """All red cards counted of decks 1/4 and 3/4: tails by sums of exact ratios."""
    mechanism = Kuk(2, ((3, 1), (1, 3)))
    share = CardsShare((10, 14, 16), mechanism)
    low = share.interval(0.95, "exact").low
    mixed = chances(mechanism, Fraction(low))
    tail = Fraction(0)
    for ones in range(41):
        for twos in range(41 - ones):
            if ones + 2 * twos >= share.red_cards:
                ways = comb(40, ones) * comb(40 - ones, twos)
                tail += ways * mixed[0] ** (40 - ones - twos) * mixed[1] ** ones * mixed[2] ** twos

    assert 0.025 == pytest.approx(float(tail), abs=1e-6)


def test_profile_intervals_hold_the_likeliest_share_and_stay_possible():
    """Within [0, 1], never empty; at both inner ends the likelihood has fallen by z**2 / 2."""
    for counts in ((90, 8, 2), (50, 40, 30), (0, 3, 40), (10, 0, 0)):
        share = CardsShare(counts, Kuk(2, ((2, 1), (1, 2))))
        shown = share.shown

        assert 0 <= shown.interval.low <= shown.value <= shown.interval.high <= 1
        for end in (shown.interval.low, shown.interval.high):
            if 0 < end < 1:
                drop = share._likelihood.log_likelihood(
                    shown.value
                ) - share._likelihood.log_likelihood(end)
                assert drop == pytest.approx(1.959963984540054**2 / 2, rel=1e-6)


def test_one_card_would_be_a_share_from_yes_and_no():
    """The formulas at one card are those of randomized response, whose code they do not share."""
    one = RandomizedResponse(((2, 1), (1, 2)))
    known = estimate_share((70, 30), one)
    own = CardsShare((49, 42, 9), Kuk(2, ((2, 1), (1, 2))))

    assert known.value == pytest.approx(own.value)
    assert own.standard_error < known.standard_error


def test_intervals_hold_the_truth():
    """100,000 respondents, 30 % yes: in all three intervals, with a false alarm of 1e-7 each."""
    mechanism = Kuk(3, ((4, 1), (2, 3)))
    share = CardsShare(tally(mechanism, (70_000, 30_000)), mechanism)
    no, yes = estimate_answers(share.tally, mechanism)

    assert 0.3 in yes.interval(1 - 1e-7)
    for method in ("score", "profile"):
        assert 0.3 in share.interval(1 - 1e-7, method)
    few = CardsShare(tally(mechanism, (1400, 600)), mechanism)
    assert 0.3 in few.interval(1 - 1e-7, "exact")
    assert no.value == pytest.approx(1 - yes.value)
    assert anytime_interval(yes).low < yes.interval().low


def test_pages_and_exports_have_the_figures_of_estimate_counts():
    """Value, errors and every interval, for either answer; and of many cards they tell more."""
    for mechanism in (*DESIGNS, Kuk(16, ((2, 1), (1, 2)))):
        counts = [40, 30, 20, *[5] * (mechanism.cards - 2)]
        no, yes = estimate_answers(counts, mechanism)
        own = estimate_counts(counts, mechanism)
        by_cards = CardsShare(counts, mechanism)

        assert (own.value, own.standard_error) == (yes.value, yes.standard_error)
        assert own.interval() == yes.interval()
        assert own.shown == yes.shown
        for found, expected in (
            (no.value, 1 - yes.value),
            (no.interval().low, 1 - yes.interval().high),
        ):
            assert pytest.approx(expected, abs=1e-9) == found, mechanism
        assert yes.standard_error <= 1.001 * by_cards.standard_error or not 0 < own.value < 1


def test_impossible_reports_are_told():
    """All cards black, from a deck with two thirds black at most: chance does not explain it."""
    mechanism = Kuk(2, ((2, 1), (1, 2)))

    assert CardsShare((100, 0, 0), mechanism).design_p_value < 1e-9
    assert CardsShare((40, 40, 20), mechanism).design_p_value == 1


@pytest.mark.parametrize(
    ("counts", "reason"),
    [((1, 2), "3 values"), ((0, 0, 0), "no reports"), ((1, -1, 2), "non-negative")],
)
def test_counts_that_do_not_fit_are_refused(counts, reason: str):
    """One count a number of red cards, not all of them 0."""
    with pytest.raises(EstimationError, match=reason):
        CardsShare(counts, Kuk(2, ((2, 1), (1, 2))))


def test_what_cannot_be_computed_says_what_can():
    """Unknown methods, and exact intervals of very many cards."""
    share = CardsShare((100_000, 40_000, 1000), Kuk(2, ((2, 1), (1, 2))))

    with pytest.raises(EstimationError, match="use the score interval"):
        share.interval(method="exact")
    with pytest.raises(EstimationError, match="one of score, exact, profile"):
        share.interval(method="wald")


def test_the_result_says_itself():
    """One line, a table, a paragraph for the methods section."""
    share = CardsShare((40, 40, 19), Kuk(2, ((2, 1), (1, 2))))

    assert "share: 0.182 (-0.015 to 0.401, 95 % score interval, n = 99)" == str(share)
    assert "2 cards, with replacement, from a deck of which 2/3 were red" in share.summary()
    assert "score" == share.method


def test_orders_are_not_taken_for_shares():
    """`estimate_counts` says which function tells their mean points."""
    with pytest.raises(EstimationError, match="mean points"):
        estimate_counts((5, 3, 2), RankedChoice((6, 4, 2)))
