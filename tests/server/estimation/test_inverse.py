"""Shares of a choice by score: through the inverse of the channel, whatever the scores."""

from fractions import Fraction

import numpy as np
import pytest
from alarms import least_inside
from sweeps import each

from tossup.server.estimation import (
    EstimationError,
    anytime_interval,
    estimate_answers,
    estimate_shares,
    estimate_yes,
    forged_interval,
    if_some_deny,
    inverse_shares,
    score_sequence,
    share_covariance,
)
from tossup.server.estimation.designs.scores import channel_array, share_scores
from tossup.server.estimation.shares.inverse import largest_variance
from tossup.server.kinds.choosing.scored import share_variance
from tossup.server.kinds.made_up.simulated import tally
from tossup.shared.mechanisms import (
    Exponential,
    KaryRandomizedResponse,
    NoisyMaxLaplace,
    PermuteAndFlip,
    ScoredChoice,
    TwoCoin,
)
from tossup.shared.mechanisms.scores.base import in_a_row

KINDS = [Exponential, PermuteAndFlip, NoisyMaxLaplace]
TOWNS = (
    (0, -1, -9, -9, -30),
    (-1, 0, -9, -9, -30),
    (-9, -9, 0, -1, -25),
    (-9, -9, -1, 0, -25),
    (-30, -30, -25, -25, 0),
)
DESIGNS = [
    kind(utility, keep, lie)
    for kind in KINDS
    for utility, keep, lie in ((in_a_row(3), 2, 1), (in_a_row(8), 5, 4), (TOWNS, 9, 8))
]


def test_it_works():
    """Reports exactly as a population of the first answer alone gives them: a share of 1."""
    shares = estimate_answers((48, 24, 12), Exponential(in_a_row(3), 2))

    assert [1, 0, 0] == [round(share.value, 9) for share in shares]
    assert (84, 48) == (shares[0].n, shares[0].named)


@each("mechanism", DESIGNS)
def test_estimates_are_unbiased_for_every_answer(mechanism: ScoredChoice):
    """Given any answer, what reports count for has mean 1 for it and 0 for all others."""
    scores, total = share_scores(mechanism), sum(mechanism.weights[0])
    for answer, row in enumerate(mechanism.weights):
        means = [
            sum(Fraction(w) * Fraction(float(s)) for w, s in zip(row, column, strict=True)) / total
            for column in scores.T
        ]

        gaps = [abs(mean - (place == answer)) for place, mean in enumerate(means)]
        assert max(gaps) < Fraction(1, 10**9)


@pytest.mark.parametrize("kind", KINDS)
def test_equal_scores_give_the_estimates_of_k_ary_randomized_response(kind):
    """Values, errors and covariance are those of the closed form, on the same table."""
    utility = tuple(tuple(int(o == a) for o in range(4)) for a in range(4))
    mechanism = kind.for_utility(utility, Fraction(3))
    counts = (500, 300, 150, 50)
    own, known = (
        inverse_shares(counts, mechanism),
        estimate_shares(counts, KaryRandomizedResponse(4)),
    )

    assert [s.value for s in own] == pytest.approx(known.values, abs=1e-6)
    assert [s.standard_error for s in own] == pytest.approx(
        [o.standard_error * (1000 / 999) ** 0.5 for o in known.options], rel=1e-6
    )
    assert share_covariance(counts, mechanism) == pytest.approx(known.covariance, abs=1e-8)


@each("mechanism", DESIGNS)
def test_values_sum_to_one_and_covariances_to_zero(mechanism: ScoredChoice):
    """Every report has one answer behind it."""
    counts = tuple(range(10, 10 + mechanism.answers))

    assert sum(s.value for s in inverse_shares(counts, mechanism)) == pytest.approx(1)
    covariance = share_covariance(counts, mechanism)
    assert covariance.sum(axis=0) == pytest.approx(np.zeros(len(counts)), abs=1e-9)
    errors = [s.standard_error**2 for s in inverse_shares(counts * 1, mechanism)]
    assert all(e >= c * 0.999 for e, c in zip(errors, np.diag(covariance), strict=True))


@each("mechanism", DESIGNS)
def test_no_population_has_a_larger_variance_than_is_planned_for(mechanism: ScoredChoice):
    """The largest variance over all mixtures of two answers, which bounds all others."""
    channel, scores = channel_array(mechanism), share_scores(mechanism)
    squares, parts = channel @ scores**2, np.linspace(0, 1, 101)
    found = max(
        (
            (1 - part) * squares[x, o]
            + part * squares[y, o]
            - ((1 - part) * (x == o) + part * (y == o)) ** 2
        )
        for o in range(len(channel))
        for x in range(len(channel))
        for y in range(len(channel))
        for part in parts
    )

    planned = share_variance(mechanism)
    assert planned == largest_variance(channel, scores)
    assert found <= planned * (1 + 1e-9)
    assert found >= planned * 0.999


@pytest.mark.parametrize("kind", KINDS)
def test_intervals_hold_the_truth(kind):
    """200,000 respondents: all shares are inside, 1 false alarm in 10**6 of all intervals."""
    mechanism = kind(in_a_row(4), 5, 2)
    truth = (80_000, 20_000, 0, 100_000)
    shares = inverse_shares(tally(mechanism, truth), mechanism)

    level = 1 - 1e-6 / len(KINDS)
    for share, held in zip(shares, truth, strict=True):
        interval = share.shared_interval(level, "score", among=4)
        assert (4, "score") == (interval.intervals, interval.method)
        assert held / sum(truth) in interval


def test_an_interval_of_two_options_is_wilson_s():
    """Of two options in a row at odds of 3 it is the score interval of a share of two coins."""
    for yes in (0, 9, 30):
        share = inverse_shares((30 - yes, yes), Exponential(in_a_row(2), 3))[1]
        known = estimate_yes(yes=yes, n=30, mechanism=TwoCoin())

        assert pytest.approx(known.interval().ends) == share.interval().ends


def test_what_is_shown_lies_from_0_to_1_and_is_never_empty():
    """A raw share far below 0 is told by an interval from 0 on that is not empty."""
    share = inverse_shares((0, 0, 40), Exponential(in_a_row(3), 2))[1]
    shown = share.shown

    assert share.value < -1
    assert 0 == shown.value == shown.interval.low
    assert 0 < shown.interval.high < 0.5
    assert share.design_p_value < 1e-4
    assert 1 == inverse_shares((40, 24, 20), Exponential(in_a_row(3), 2))[0].design_p_value


def test_few_reports_that_agree_are_no_certainty():
    """Ten reports of one option still have the error that the coins alone cause."""
    mechanism = Exponential(in_a_row(3), 2)
    share = inverse_shares((10, 0, 0), mechanism)[0]
    squares = channel_array(mechanism) @ share_scores(mechanism)[:, 0] ** 2

    least = min(squares - np.array([1, 0, 0]))
    assert share.standard_error == pytest.approx((least / 10) ** 0.5)


def test_forged_and_denied_reports_move_a_share_as_far_as_reports_count():
    """The bound uses the least and the most that one report of a choice by score counts for."""
    share = inverse_shares((500, 300, 200), Exponential(in_a_row(3), 2))[0]
    whole, (least, most) = share.interval(), share.ends
    forged = forged_interval(share, 0.1, method="score")
    denied = if_some_deny(share, [0.5], method="score")[0]

    assert forged.low == pytest.approx((whole.low - 0.1 * most) / 0.9)
    assert forged.high == pytest.approx((whole.high - 0.1 * least) / 0.9)
    assert denied.value == pytest.approx(2 * share.value)


def test_an_interval_for_every_look_is_wider_and_that_of_two_reports_is_known():
    """With reports of two kinds it is the confidence sequence of a share."""
    from tossup.server.estimation import estimate_share
    from tossup.shared.mechanisms import TwoCoin

    share = inverse_shares((500, 300, 200), Exponential(in_a_row(3), 2))[0]
    every, one = anytime_interval(share), share.interval()
    known = anytime_interval(estimate_share((600, 400), TwoCoin()))
    own = score_sequence((600, 400), (-0.5, 1.5))

    assert every.low < one.low < one.high < every.high
    assert (known.low, known.high) == pytest.approx((own.low, own.high), abs=1e-9)


@pytest.mark.prove
def test_every_look_together_holds():
    """Of 300 surveys looked at five times, at most 36 ever show an interval without the truth.

    A correct sequence fails in at most 5 %; more than 36 of 300 then come in one of a million runs.
    """
    mechanism = PermuteAndFlip(in_a_row(3), 4)
    rng = np.random.default_rng(7)
    mixed = np.array([0.5, 0.2, 0.3]) @ channel_array(mechanism)
    scores = tuple(share_scores(mechanism)[:, 1].tolist())
    failed, length = 0, 400
    for _ in range(300):
        seen = np.cumsum(np.eye(3, dtype=int)[rng.choice(3, size=length, p=mixed)], axis=0)
        looks = seen[[9, 49, 99, 199, 399]]
        failed += any(0.2 not in score_sequence(tuple(counts), scores) for counts in looks.tolist())

    assert failed <= 300 - least_inside(300, 0.95)


@pytest.mark.parametrize(
    ("counts", "reason"),
    [((1, 2), "3 values"), ((0, 0, 0), "no reports"), ((1, -1, 2), "non-negative")],
)
def test_counts_that_do_not_fit_are_refused(counts, reason: str):
    """One count an option, not all of them 0."""
    with pytest.raises(EstimationError, match=reason):
        inverse_shares(counts, Exponential(in_a_row(3), 2))


def test_methods_that_do_not_fit_are_refused():
    """There is no exact interval for such a share; asking for one is an error."""
    share = inverse_shares((5, 3, 2), Exponential(in_a_row(3), 2))[0]

    with pytest.raises(EstimationError, match="must be one of score"):
        share.interval(method="exact")


def test_a_table_without_an_inverse_is_refused():
    """If the third answer's reports are a mixture of those of the first two, no share is told."""
    utility = ((1, 0, 0, 0), (0, 1, 0, 0), (1, 1, 1, 1), (0, 0, 0, 1))
    mixture = Exponential(utility, 3)
    assert len(set(mixture.weights)) == 4

    square = Exponential(((2, 2, 0, 0), (0, 2, 2, 0), (0, 0, 2, 2), (2, 0, 0, 2)), 3)
    with pytest.raises(EstimationError, match="do not tell"):
        inverse_shares((1, 2, 3, 4), square)


def test_the_result_says_itself():
    """One line, and a paragraph for the methods section."""
    share = inverse_shares((33, 27, 24), Exponential(in_a_row(3), 2))[0]

    assert "share: 0.542 (0.245 to 0.879, 95 % score interval, n = 84)" == str(share)
    assert "by the inverse of the channel" in share.procedure
